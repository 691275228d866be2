import { mkdirSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { modulesMark } from '../../src/config/module-choice.ts';
import { chooseModules } from '../../src/config/modules.ts';
import { Trust } from '../../src/config/trust.ts';
import { choiceText, docsText } from '../../src/core/docs-selection.ts';
import { registerDaemon } from '../../src/state/daemons.ts';
import { prepareStateFolder, stateFolderAt } from '../../src/state/state-folder.ts';
import { oneFolder } from '../support/one-folder.ts';
import { type Teardown, temporaryFolder } from '../support/temporary.ts';
import { runHere } from './run-here.ts';

/**
 * A project whose docs are indexed; this process stands for the daemon that keeps them so.
 * @param ownConfig whose own config the daemon has read; default: that of whoever asks
 */
async function served(t: Teardown, ownConfig?: string): Promise<string> {
  const cwd = temporaryFolder(t);
  mkdirSync(join(cwd, 'docs'));
  writeFileSync(join(cwd, 'docs/a.md'), '# Alpha\n');
  await runHere(['build'], { cwd });
  const state = stateFolderAt(join(cwd, '.kgraphfs'));
  prepareStateFolder(state);
  const docs = oneFolder(join(cwd, 'docs'));
  const how = {
    mountpoint: null,
    docs: docsText(docs),
    choice: choiceText(docs),
    modules: '',
    ...(ownConfig === undefined ? {} : { ownConfig }),
  };
  t.teardown(registerDaemon(state, how));
  return cwd;
}

t.test('a changed choice of files that a daemon has not taken up is told', async (t) => {
  const cwd = await served(t);
  t.equal((await runHere(['inspect', 'Alpha'], { cwd })).err, '');
  writeFileSync(join(cwd, 'kgraphfs.config.json'), '{"docs": "docs", "exclude": ["b.md"]}');
  for (const args of [['inspect', 'Alpha'], ['build'], ['status']]) {
    const { err } = await runHere(args, { cwd });
    t.match(err, /settings of the docs were changed .*kgraphfs stop, then start/, args.join(' '));
  }
});

t.test('modules that a daemon has not taken up are told, also once a config is trusted', async (t) => {
  const cwd = await served(t);
  const env = { XDG_CONFIG_HOME: join(cwd, 'own') };
  const told = async () => (await runHere(['status'], { cwd, env })).err;
  const own = join(cwd, 'own/kgraphfs');
  mkdirSync(own, { recursive: true, mode: 0o700 });
  writeFileSync(join(own, 'config.json'), '{"llm": false}', { mode: 0o600 });
  t.equal(await told(), '', 'no module is none');
  writeFileSync(join(own, 'config.json'), '{"modules": {"git": {"module": "git"}}}', { mode: 0o600 });
  t.match(await told(), /settings of the modules were changed .*kgraphfs stop, then start/);
  t.match((await runHere(['inspect', 'Alpha'], { cwd, env })).err, /settings of the modules were changed/);
  writeFileSync(join(cwd, 'kgraphfs.config.json'), '{"exclude": ["b.md"]}');
  t.match(await told(), /settings of the docs and modules were changed/);
});

t.test('a command that looks at the daemon twice tells it once', async (t) => {
  const cwd = await served(t);
  writeFileSync(join(cwd, 'kgraphfs.config.json'), '{"exclude": ["*.md"]}');
  // No document is left to ask about, so nothing is sent.
  const llm = ['--llm', '--base-url', 'http://127.0.0.1:9/v1', '--model', 'a/model'];
  const { err } = await runHere(['build', ...llm], { cwd });
  t.equal(err.match(/settings of the docs were changed/g)?.length, 1, err);
});

t.test("modules of another's own config are no changed settings", async (t) => {
  const cwd = await served(t, '0 /home/another/.config/kgraphfs/config.json');
  const own = join(cwd, 'own/kgraphfs');
  mkdirSync(own, { recursive: true, mode: 0o700 });
  writeFileSync(join(own, 'config.json'), '{"modules": {"git": {"module": "git"}}}', { mode: 0o600 });
  const env = { XDG_CONFIG_HOME: join(cwd, 'own') };
  for (const args of [['status'], ['inspect', 'Alpha']])
    t.equal((await runHere(args, { cwd, env })).err, '', args.join(' '));
  writeFileSync(join(cwd, 'kgraphfs.config.json'), '{"exclude": ["b.md"]}');
  t.match((await runHere(['status'], { cwd, env })).err, /settings of the docs were changed/);
});

t.test('what stands for modules is the same for the same, and another once one is trusted', async (t) => {
  const cwd = realpathSync(temporaryFolder(t));
  const variables = { XDG_CONFIG_HOME: join(cwd, 'own') };
  const file = join(cwd, 'kgraphfs.config.json');
  const text = '{"modules": {"mine": {"module": "./m.mjs"}}}';
  writeFileSync(file, text);
  const asked = { asked: { mine: { module: './m.mjs' } }, file, text };
  const mark = () => modulesMark(chooseModules(asked, variables));
  const before = mark();
  t.equal(mark(), before);
  new Trust(variables).add(file, text, 0, { [join(cwd, 'm.mjs')]: 'a' });
  t.not(mark(), before);
  t.equal(modulesMark(chooseModules(undefined, variables)), '');
});

t.test('who stops what is mounted only is told how that ends', async (t) => {
  const cwd = temporaryFolder(t);
  mkdirSync(join(cwd, 'docs'));
  const state = stateFolderAt(join(cwd, '.kgraphfs'));
  prepareStateFolder(state);
  t.match(await runHere(['stop'], { cwd }), { status: 0, out: 'no daemon is running\n' });
  const docs = docsText(oneFolder(join(cwd, 'docs')));
  t.teardown(registerDaemon(state, { mountpoint: '/home/you/ctx', docs }));
  t.match(await runHere(['stop'], { cwd }), {
    status: 0,
    out: 'the only daemon running is that of the mount at /home/you/ctx; end it with kgraphfs unmount, or stop --all\n',
  });
});

t.test('a changed list of docs is told, and refused where the index would be changed', async (t) => {
  const cwd = await served(t);
  mkdirSync(join(cwd, 'more'));
  writeFileSync(join(cwd, 'kgraphfs.config.json'), '{"docs": ["docs", "more"]}');
  t.match((await runHere(['status'], { cwd })).err, /settings of the docs were changed/);
  t.match(await runHere(['build'], { cwd }), { status: 1, err: /serves .*kgraphfs stop --all/ });
});

t.test('docs that were named to the daemon and not to a command are no changed settings', async (t) => {
  const cwd = realpathSync(temporaryFolder(t));
  mkdirSync(join(cwd, 'handbook'));
  writeFileSync(join(cwd, 'handbook/a.md'), '# Alpha\n');
  const state = stateFolderAt(join(cwd, '.kgraphfs'));
  prepareStateFolder(state);
  const docs = oneFolder(join(cwd, 'handbook'));
  const choice = choiceText(docs);
  t.teardown(registerDaemon(state, { mountpoint: null, docs: docsText(docs), choice, modules: '' }));
  const { err } = await runHere(['status'], { cwd });
  t.equal(
    err,
    `the daemon without a mount (pid ${process.pid}) serves ${cwd}/handbook, not ${cwd}, which this command is about: name what it serves with --docs, or start it again for the other: kgraphfs stop, then start\n`,
  );
  t.match(await runHere(['stats'], { cwd }), {
    status: 1,
    err: `this state folder serves ${cwd}/handbook, without a mount (pid ${process.pid}); choose another with --state, name what it serves with --docs, or end`,
  });
  t.equal((await runHere(['status', '--docs', 'handbook'], { cwd })).err, '');
});

t.test('a project that was moved under its daemon says so, and how to go on', async (t) => {
  const folder = realpathSync(temporaryFolder(t));
  const [before, cwd] = [join(folder, 'before'), join(folder, 'now')];
  mkdirSync(join(before, 'docs'), { recursive: true });
  writeFileSync(join(before, 'docs/a.md'), '# Alpha\n');
  const state = stateFolderAt(join(before, '.kgraphfs'));
  prepareStateFolder(state);
  const docs = oneFolder(join(before, 'docs'));
  const how = { docs: docsText(docs), ways: [['', join(before, 'docs')] as const] };
  t.teardown(registerDaemon(state, { ...how, mountpoint: '/home/you/ctx', choice: choiceText(docs) }));
  renameSync(before, cwd);
  const serves = `the daemon mounted at /home/you/ctx serves ${before}/docs, which is no longer there`;
  for (const config of ['', '{"docs": "docs"}']) {
    if (config !== '') writeFileSync(join(cwd, 'kgraphfs.config.json'), config);
    t.equal(
      (await runHere(['status'], { cwd })).err,
      `${serves}; for ${cwd}/docs: kgraphfs unmount, then mount\n`,
    );
    for (const args of [['build'], ['stats'], ['start']])
      t.match(
        await runHere(args, { cwd }),
        { status: 1, err: `kgraphfs: ${cwd}/.kgraphfs: ${serves}; end it first: kgraphfs stop --all\n` },
        args.join(' '),
      );
  }
});

t.test('docs that are gone keep nobody from what a daemon knows of them', async (t) => {
  const cwd = await served(t);
  renameSync(join(cwd, 'docs'), join(cwd, 'away'));
  const flags = ['--docs', 'docs'];
  t.match((await runHere(['inspect', 'Alpha', ...flags], { cwd })).out, /^Alpha/);
  t.equal((await runHere(['status', ...flags], { cwd })).err, '');
  t.match(await runHere(['status', '--docs', 'none', '--state', 'elsewhere'], { cwd }), {
    status: 1,
    err: /none: there is no such folder/,
  });
  for (const args of [
    ['search', 'Alpha'],
    ['vfs', 'read', '/graph/nodes/Alpha'],
    ['vfs', 'list', '/docs'],
  ])
    for (const named of [[], flags])
      t.match(
        await runHere([...args, ...named], { cwd }),
        {
          status: args[2] === '/docs' ? 1 : 0,
          err: /^the docs folder \S+\/docs is missing: the daemon without a mount \(pid \d+\) goes on with what it has read; put it back/,
        },
        [...args, ...named].join(' '),
      );
});

t.test('a docs folder that is away, and that a link names, is told as away', async (t) => {
  const cwd = await served(t);
  symlinkSync('docs', join(cwd, 'link'));
  writeFileSync(join(cwd, 'kgraphfs.config.json'), '{"docs": "link"}');
  t.equal((await runHere(['status'], { cwd })).err, '');
  renameSync(join(cwd, 'docs'), join(cwd, 'away'));
  const { err } = await runHere(['status'], { cwd });
  t.match(err, /the docs folder \S+\/link is missing: the daemon .* goes on with what it has read/);
  t.notMatch(err, /were changed/);
});

t.test('an index that a daemon keeps for other docs is not mended', async (t) => {
  const cwd = await served(t);
  mkdirSync(join(cwd, 'other'));
  writeFileSync(join(cwd, 'other/b.md'), '# Beta\n');
  for (const repair of [[], ['--repair']]) {
    const at = ['--docs', 'other', '--state', '.kgraphfs'];
    const { status, out, err } = await runHere(['check', ...repair, ...at], { cwd });
    t.match(
      { status, out, err },
      { status: 1, out: '', err: /this state folder serves .*docs, without a mount/ },
    );
  }
  t.match(await runHere(['inspect', 'Alpha'], { cwd }), { status: 0, out: /Alpha/ });
});

t.test('docs that are away for a moment are not replaced by all there is beside them', async (t) => {
  const cwd = realpathSync(temporaryFolder(t));
  mkdirSync(join(cwd, 'docs'));
  writeFileSync(join(cwd, 'docs/a.md'), '# Alpha\n');
  writeFileSync(join(cwd, 'README.md'), '# Readme\n');
  await runHere(['build'], { cwd });
  t.teardown(() => runHere(['stop', '--all'], { cwd }));
  renameSync(join(cwd, 'docs'), join(cwd, 'away'));
  for (const args of [['status'], ['stop', '--all'], ['wipe', '--memory', '--yes']]) {
    t.match(await runHere(args, { cwd }), { status: 0, err: '' }, `${args.join(' ')} needs no docs`);
  }
  for (const args of [['search', 'Readme'], ['inspect', 'Readme'], ['build'], ['mount', join(cwd, 'ctx')]]) {
    t.match(
      await runHere(args, { cwd }),
      {
        status: args[0] === 'mount' ? 3 : 1,
        out: '',
        err: `${cwd}/docs: this docs folder, which the index in ${cwd}/.kgraphfs was made from, is missing; put it back, or use all of ${cwd} as the docs with --docs ${cwd}`,
      },
      args.join(' '),
    );
  }
  renameSync(join(cwd, 'away'), join(cwd, 'docs'));
  t.match(await runHere(['build'], { cwd }), { status: 0, out: /0 added, 0 changed, 0 removed/ });

  renameSync(join(cwd, 'docs'), join(cwd, 'handbook'));
  t.equal((await runHere(['build', '--docs', 'handbook'], { cwd })).status, 0);
  t.equal((await runHere(['build'], { cwd })).status, 0, 'a folder that was named once is not away');
  renameSync(join(cwd, 'handbook'), join(cwd, 'docs'));
  t.equal((await runHere(['build'], { cwd })).status, 0);

  const moved = `${cwd}-moved`;
  t.teardown(() => rmSync(moved, { recursive: true, force: true }));
  mkdirSync(moved);
  const state = join(temporaryFolder(t), 'state');
  t.equal((await runHere(['build', '--state', state], { cwd: moved })).status, 0);
  renameSync(moved, `${moved}-again`);
  t.teardown(() => rmSync(`${moved}-again`, { recursive: true, force: true }));
  const { status } = await runHere(['build', '--state', state], { cwd: `${moved}-again` });
  t.equal(status, 0, 'what is elsewhere may be of a project that was moved');
});

t.test('docs that are a link which leads nowhere are not replaced either', async (t) => {
  const cwd = realpathSync(temporaryFolder(t));
  writeFileSync(join(cwd, 'README.md'), '# Readme\n');
  symlinkSync('releases/7', join(cwd, 'docs'));
  t.match(await runHere(['search', 'Readme'], { cwd }), {
    status: 1,
    out: '',
    err: /\/docs: this link does not lead to a folder; fix it, or name the docs with --docs/,
  });
});

t.test('what a daemon knows of docs that are away can be asked for without naming them', async (t) => {
  const cwd = await served(t);
  renameSync(join(cwd, 'docs'), join(cwd, 'away'));
  t.match((await runHere(['inspect', 'Alpha'], { cwd })).out, /^Alpha/);
  t.equal((await runHere(['status'], { cwd })).err, '');
});

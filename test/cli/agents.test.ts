import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { registerDaemon } from '../../src/state/daemons.ts';
import { prepareStateFolder, stateFolderAt } from '../../src/state/state-folder.ts';
import { type Teardown, temporaryFolder } from '../support/temporary.ts';
import { runHere } from './run-here.ts';

/** A project with docs, and the command in it. */
function project(t: Teardown) {
  const folder = temporaryFolder(t);
  mkdirSync(join(folder, 'docs'));
  writeFileSync(join(folder, 'docs/charge.md'), '# Charge\n');
  const at = (name: string) => join(folder, name);
  return {
    folder,
    at,
    write: (name: string, text: string | Buffer) => writeFileSync(at(name), text),
    read: (name: string) => readFileSync(at(name), 'utf8'),
    agents: (...words: string[]) => runHere(['agents', ...words], { cwd: folder }),
    files: () => readdirSync(folder).sort(),
  };
}

t.test('the files that are there are told where the mount is, and are as before afterwards', async (t) => {
  const { agents, write, read, at, files } = project(t);
  const claude = '# Rules\r\n\r\nUse tabs';
  const gemini = '# Gemini\n';
  write('CLAUDE.md', claude);
  write('GEMINI.md', gemini);
  chmodSync(at('GEMINI.md'), 0o640);
  const before = files();
  t.same(await agents('install', '--mount', '~/team ctx'), {
    status: 0,
    out: 'added to CLAUDE.md\nadded to GEMINI.md\n',
    err: '',
  });
  t.match(read('GEMINI.md'), "cat ~/'team ctx'/AGENTS.md");
  t.match(read('GEMINI.md'), "kgraphfs mount ~/'team ctx' ");
  t.ok(read('GEMINI.md').startsWith(gemini));
  t.equal(statSync(at('GEMINI.md')).mode & 0o777, 0o640);
  t.equal((await agents('status', '--mount', '~/team ctx')).status, 0);
  t.match(await agents('status', '--mount', '~/ctx'), { status: 1, out: /CLAUDE\.md +other text/ });
  t.equal((await agents('status')).status, 0, 'where nothing is mounted the block may be right');
  const installed = read('CLAUDE.md');
  for (const again of [['--mount', '~/team ctx'], []]) {
    t.match((await agents('install', ...again)).out, 'nothing to do in CLAUDE.md');
    t.equal(read('CLAUDE.md'), installed);
  }
  t.match((await agents('install', '--mount', '~/ctx')).out, 'updated CLAUDE.md');
  t.same(await agents('uninstall'), {
    status: 0,
    out: 'removed from CLAUDE.md\nremoved from GEMINI.md\n',
    err: '',
  });
  t.equal(read('CLAUDE.md'), claude);
  t.equal(read('GEMINI.md'), gemini);
  t.same(files(), before, 'nothing is left behind');
  t.match(await agents('uninstall'), { status: 0, out: 'no file says anything of kgraphfs\n' });
});

t.test(
  'where there is none AGENTS.md is made, and goes again; --project and --file say otherwise',
  async (t) => {
    const { agents, at, folder } = project(t);
    t.equal((await runHere(['agents', 'install', '--project', folder])).status, 0);
    t.ok(existsSync(at('AGENTS.md')));
    t.match(await runHere(['agents', 'uninstall', '--project', folder, '--json']), {
      status: 0,
      out: /"action": "remove"/,
    });
    t.notOk(existsSync(at('AGENTS.md')));
    t.match(await agents('install', '--file', 'NOTES.md'), { status: 0, out: 'added to NOTES.md\n' });
    t.notOk(existsSync(at('AGENTS.md')));
    t.match(await agents('uninstall'), { status: 0, out: 'removed from NOTES.md\n' });
    t.notOk(existsSync(at('NOTES.md')));
  },
);

t.test('the mount that is there is the one that is told of', async (t) => {
  const { agents, read, at } = project(t);
  const state = stateFolderAt(at('.kgraphfs'));
  prepareStateFolder(state);
  const forget = registerDaemon(state, { mountpoint: at('my ctx'), docs: at('docs') });
  t.equal((await agents('install')).status, 0);
  t.match(read('AGENTS.md'), "cat 'my ctx'/AGENTS.md");
  forget();
  t.match((await agents('install')).out, 'nothing to do in AGENTS.md');
});

t.test('--dry-run shows a diff that git takes, and changes nothing', async (t) => {
  const { agents, write, read, folder } = project(t);
  write('AGENTS.md', '# Rules\nUse tabs');
  const { out } = await agents('install', '--dry-run');
  t.equal(read('AGENTS.md'), '# Rules\nUse tabs');
  execFileSync('git', ['apply', '-'], { cwd: folder, input: out });
  const patched = read('AGENTS.md');
  t.match((await agents('install')).out, 'nothing to do');
  t.equal(read('AGENTS.md'), patched);
  execFileSync('git', ['apply', '-'], { cwd: folder, input: (await agents('uninstall', '--dry-run')).out });
  t.equal(read('AGENTS.md'), '# Rules\nUse tabs');
});

t.test('two names of one file get one block, and stay one file', async (t) => {
  const { agents, write, read, at } = project(t);
  write('AGENTS.md', '# Rules\n');
  symlinkSync('AGENTS.md', at('CLAUDE.md'));
  linkSync(at('AGENTS.md'), at('GEMINI.md'));
  t.match(await agents('install'), { status: 0, out: 'added to AGENTS.md, CLAUDE.md, GEMINI.md\n' });
  t.equal(read('AGENTS.md').match(/kgraphfs:begin/g)?.length, 1);
  t.equal(read('GEMINI.md'), read('AGENTS.md'));
  t.ok(lstatSync(at('CLAUDE.md')).isSymbolicLink());
  t.equal((await agents('uninstall')).status, 0);
  t.equal(read('GEMINI.md'), '# Rules\n');
  t.equal(statSync(at('AGENTS.md')).nlink, 2);
});

t.test('a block that somebody edited is left, unless --force', async (t) => {
  const { agents, write, read } = project(t);
  write('AGENTS.md', '# Rules\n');
  await agents('install');
  const edited = read('AGENTS.md').replace('Look there first', 'Look there last');
  write('AGENTS.md', edited);
  for (const verb of ['install', 'uninstall']) {
    t.match(await agents(verb), { status: 1, err: /AGENTS\.md: the block was edited by hand/ });
    t.equal(read('AGENTS.md'), edited);
  }
  t.match((await agents('status')).out, /AGENTS\.md +edited/);
  t.equal((await agents('uninstall', '--force')).status, 0);
  t.equal(read('AGENTS.md'), '# Rules\n');
  write('AGENTS.md', '<!-- kgraphfs:end -->\n');
  t.match(await agents('install', '--force'), { status: 1, err: /one of the two marks is gone/ });
});

t.test('what cannot be written is said, and then nothing is', async (t) => {
  const { agents, write, read, at, files, folder } = project(t);
  write('AGENTS.md', '# Rules\n');
  const refused = async (reason: RegExp) => {
    const before = files();
    t.match(await agents('install'), { status: 1, out: '', err: reason });
    t.equal(read('AGENTS.md'), '# Rules\n');
    t.same(files(), before);
  };
  write('CLAUDE.md', Buffer.from([0xff, 0xfe, 0x41, 0]));
  await refused(/CLAUDE\.md: is not UTF-8 text/);
  write('CLAUDE.md', '# Read only\n');
  chmodSync(at('CLAUDE.md'), 0o444);
  await refused(/CLAUDE\.md: is read-only/);
  mkdirSync(at('GEMINI.md'));
  await refused(/GEMINI\.md: is a folder|CLAUDE\.md: is read-only/);
  const other = temporaryFolder(t);
  for (const [name, target, reason] of [
    [
      'gone',
      'nowhere.md',
      /gone\/AGENTS\.md: is a link to nowhere\.md, which leads nowhere; make that file first, or remove the link/,
    ],
    ['out', join(other, 'rc'), /is a link out of the project/],
  ] as const) {
    writeFileSync(join(other, 'rc'), 'export A=1\n');
    const inner = join(folder, name);
    mkdirSync(inner);
    symlinkSync(target, join(inner, 'AGENTS.md'));
    t.match(await runHere(['agents', 'install', '--project', inner]), { status: 1, err: reason });
  }
  t.equal(readFileSync(join(other, 'rc'), 'utf8'), 'export A=1\n');
  const within = { status: 1, err: /charge\.md\/x: cannot be read: .*charge\.md is not a folder/ };
  for (const verb of ['install', 'uninstall', 'status'])
    t.match(await agents(verb, '--file', 'docs/charge.md/x'), within, verb);
  t.match(await agents('install', '--project', 'nowhere'), { status: 1, err: /there is no such folder/ });
  t.match(await agents('install', '--project', 'docs/charge.md'), {
    status: 1,
    err: /docs\/charge\.md: this is not a folder \(--project\)\n$/,
  });
});

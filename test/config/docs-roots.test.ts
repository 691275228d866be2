import { mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { rootsOfConfig } from '../../src/config/docs-roots.ts';
import { loadSettings } from '../../src/config/settings.ts';
import { whatIsTooWide } from '../../src/config/wide-root.ts';
import { UserError } from '../../src/core/errors.ts';
import { noteRoots } from '../../src/state/noted-roots.ts';
import { type Teardown, temporaryFolder } from '../support/temporary.ts';

function project(t: Teardown, folders: readonly string[], config: unknown): string {
  const folder = realpathSync(temporaryFolder(t));
  for (const name of folders) mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, 'kgraphfs.config.json'), JSON.stringify(config));
  return folder;
}

function failure(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    if (error instanceof UserError) return error.message;
    throw error;
  }
  return 'nothing was thrown';
}

/** Makes a folder the home for the rest of a test. */
function useHome(t: Teardown, home: string): void {
  const { HOME } = process.env;
  process.env['HOME'] = home;
  t.teardown(() => {
    if (HOME === undefined) delete process.env['HOME'];
    else process.env['HOME'] = HOME;
  });
}

t.test('several docs roots have the names of their folders, or those that the config gives', async (t) => {
  const folder = project(t, ['repo/docs', 'repo/packages/api/docs', 'handbook'], {});
  const base = join(folder, 'repo');
  writeFileSync(
    join(base, 'kgraphfs.config.json'),
    JSON.stringify({ docs: ['docs', '../handbook', { name: 'api', path: 'packages/api/docs' }] }),
  );
  const { selection, docs, state } = loadSettings({}, base);
  t.same(selection.folders, [
    { name: 'docs', folder: join(base, 'docs'), base },
    { name: 'handbook', folder: join(folder, 'handbook'), base },
    { name: 'api', folder: join(base, 'packages/api/docs'), base },
  ]);
  t.equal(docs, join(base, 'docs'));
  t.equal(state, join(base, '.kgraphfs'), 'beside the first: memory stays where it was when a root is added');
  const flags = loadSettings({ docs: ['docs', '../handbook'] }, base).selection.folders;
  t.same(
    flags.map(({ name }) => name),
    ['docs', 'handbook'],
  );
});

t.test('a single docs root has no name, however it is given', async (t) => {
  for (const docs of ['d', ['d'], [{ name: 'x', path: 'd' }], { name: 'x', path: 'd' }]) {
    const folder = project(t, ['d'], { docs });
    t.same(loadSettings({}, folder).selection.folders, [
      { name: '', folder: join(folder, 'd'), base: folder },
    ]);
  }
});

t.test('names of docs roots are plain and unique, and each folder is named once', async (t) => {
  const folders = ['a/docs', 'b/docs', 'b/DOCS', '.x'];
  const wrong = (docs: unknown) => failure(() => loadSettings({}, project(t, folders, { docs })));
  t.match(wrong(['a/docs', 'b/docs']), /are both named "docs"; give them names in the config file/);
  t.match(wrong(['a/docs', 'b/DOCS']), /are both named/, 'also where only case tells them apart');
  t.match(wrong(['a/docs', 'a/../a/docs']), /is given twice/);
  t.match(wrong(['a', '.x']), /"\.x" cannot be the name of a docs root/);
  t.match(wrong(['a', { name: 'x/y', path: 'b' }]), /"x\/y" cannot be the name/);
  t.match(wrong([{ name: 'x/y', path: 'a' }]), /config\.json:1:11: docs\.0\.name: "x\/y" cannot be the name/);
  t.match(wrong({ name: 'x/y', path: 'a' }), /docs\.name: "x\/y" cannot be the name/, 'also of a single one');
  t.match(wrong(['a', { name: 'y ', path: 'b' }]), /letters, digits, spaces and .* no space at its end/);
  const spaced = project(t, folders, { docs: ['a', { name: 'x y', path: 'b' }] });
  t.equal(loadSettings({}, spaced).selection.folders[1]?.name, 'x y');
  t.match(
    wrong(['a', 'missing']),
    /config\.json:1:14: docs\.1: there is no such folder: .*missing; make it, or correct this setting/,
  );
  t.match(wrong('missing'), /config\.json:1:2: docs: there is no such folder: .*missing;/, 'a single one');
  t.match(wrong([{ name: 'a', path: 'missing' }]), /config\.json:1:10: docs\.0: there is no such folder/);
  t.match(wrong([]), /docs: /);
  t.match(wrong(['a', 5]), /docs\.1: a folder, or a list/);
  t.match(wrong([{ path: 'a' }]), /docs\.0\.name: it is missing/);
});

t.test(
  'a config file names no docs in hidden folders outside its own, and has no state made there',
  async (t) => {
    const folder = project(t, ['repo/.docs', 'home/.keys', 'other/docs'], {});
    const base = join(folder, 'repo');
    const settle = (docs: unknown) => {
      writeFileSync(join(base, 'kgraphfs.config.json'), JSON.stringify({ docs }));
      return loadSettings({}, base);
    };
    t.match(
      failure(() => settle('../home/.keys')),
      /a hidden folder outside the project can be a docs root only by --docs, not by a config file or a link/,
    );
    symlinkSync(join(folder, 'home/.keys'), join(base, 'docs'));
    t.match(
      failure(() => settle('docs')),
      /hidden folder/,
      'nor by a link',
    );
    writeFileSync(join(base, 'kgraphfs.config.json'), '{}');
    t.match(
      failure(() => loadSettings({}, base)),
      /hidden folder/,
      'nor without a word',
    );
    t.equal(loadSettings({ docs: 'docs' }, base).docs, join(folder, 'home/.keys'), 'the command line may');
    t.equal(settle('.docs').docs, join(base, '.docs'), 'its own hidden folders it may');
    t.equal(
      settle('../other/docs').state,
      join(base, '.kgraphfs'),
      'state is not made beside docs elsewhere',
    );
    symlinkSync(join(folder, 'other'), join(base, 'away'));
    writeFileSync(join(base, 'kgraphfs.config.json'), '{"docs": ".docs", "state": "away/state"}');
    t.match(
      failure(() => loadSettings({}, base)),
      /may only name a state folder inside its own folder/,
    );
    const linked = project(t, [], {});
    symlinkSync(join(folder, 'other/docs'), join(linked, 'docs'));
    const { docs, state, selection } = loadSettings({}, linked);
    t.same(
      selection.folders,
      [{ name: '', folder: docs, way: join(linked, 'docs'), base: linked }],
      'the link is followed from then on, and may lead to nothing else that is refused here',
    );
    t.same(
      [docs, state],
      [join(folder, 'other/docs'), join(linked, '.kgraphfs')],
      'nor beside what a link leads to',
    );
  },
);

t.test('patterns that could cost too much or mean nothing are refused', async (t) => {
  const wrong = (config: unknown) => failure(() => loadSettings({}, project(t, ['docs'], config)));
  t.match(wrong({ include: '**/*.md' }), /include: a list of patterns/);
  t.match(wrong({ exclude: ['**/a/**/b/**/c/**'] }), /exclude\.0: a pattern has at most 3 of \*\*/);
  t.match(wrong({ exclude: ['x', '../y'] }), /exclude\.1: .*leads out/);
  t.match(wrong({ exclude: [' '] }), /exclude\.0: a pattern is one line/);
  t.match(
    wrong({ exclude: ['['] }),
    /config\.json:1:13: exclude\.0: its "\[" is never closed, so the pattern fits no file; close it with "\]", or write "\\\\\[" /,
  );
  t.match(wrong({ lint: { ignore: ['*.{md,mdx'] } }), /lint\.ignore\.0: its "\{" is never closed/);
  const { selection } = loadSettings({}, project(t, ['docs'], { include: ['*.md'], exclude: ['a/**'] }));
  t.same([selection.include, selection.exclude], [['*.md'], ['a/**']]);
});

t.test('the whole machine, its system and a home are docs only if the command line says so', async (t) => {
  const folder = project(t, ['home/team/docs', 'repo'], {});
  const [home, repo] = [join(folder, 'home'), join(folder, 'repo')];
  useHome(t, home);
  const settle = (docs: unknown, base = repo) => {
    writeFileSync(join(base, 'kgraphfs.config.json'), JSON.stringify({ docs }));
    return loadSettings({}, base);
  };
  const places = [
    ['/', 'the root of all files of this machine'],
    ['/usr', 'a folder of the system'],
    ['../home', 'your home folder, with everything in it'],
  ] as const;
  for (const [place, what] of places) {
    t.match(
      failure(() => settle(place)),
      new RegExp(`config\\.json:1:\\d+: docs: \\S+ is ${what}; name .* by --docs /`),
    );
    t.ok(loadSettings({ docs: place }, repo).docs, 'the command line may');
    t.ok(loadSettings({ mayMissDocs: true }, repo).docs, 'who looks for daemons is not kept from it');
  }
  t.match(
    failure(() => settle(['../home/team', '../home'])),
    /: docs\.1: \S+ is your home folder/,
  );
  t.equal(settle('../home/team').docs, join(home, 'team'));
  t.equal(settle('.', home).docs, home, 'its own folder a config file may name');
  const bare = join(folder, 'bare');
  mkdirSync(bare);
  process.env['HOME'] = bare;
  const nowhere = () => loadSettings({}, bare);
  t.match(failure(nowhere), /bare: this is your home folder, .* has no folder docs; .*: --docs \/.*bare$/);
  mkdirSync(join(bare, '.kgraphfs'));
  noteRoots(join(bare, '.kgraphfs'), [{ name: '', folder: bare }]);
  t.equal(nowhere().docs, bare, 'where it was used before, it is meant');
  mkdirSync(join(bare, 'docs'));
  t.equal(nowhere().docs, join(bare, 'docs'));
});

t.test('where a home is too wide for docs, the way out that is told works', async (t) => {
  const folder = project(t, ['home/repo', 'home/notes', 'elsewhere'], {});
  const [home, repo] = [join(folder, 'home'), join(folder, 'home', 'repo')];
  useHome(t, home);
  const state = join(repo, '.kgraphfs');

  symlinkSync(home, join(repo, 'docs'));
  t.match(
    failure(() => loadSettings({}, repo)),
    new RegExp(
      `^${repo}/docs: this link leads to ${home}, which is your home folder, .*--docs ${home} --state ${state}$`,
    ),
    'a link is no word of the command line',
  );
  t.ok(loadSettings({ mayMissDocs: true }, repo).docs);
  rmSync(join(repo, 'docs'));
  symlinkSync('/', join(repo, 'docs'));
  noteRoots(state, [{ name: '', folder: '/' }]);
  t.match(
    failure(() => loadSettings({}, repo)),
    /docs: this link leads to \/, which is the root of all files/,
    'whatever index came along with it',
  );
  rmSync(join(repo, 'docs'));
  symlinkSync('../notes', join(repo, 'docs'));
  t.equal(loadSettings({}, repo).docs, join(home, 'notes'));

  writeFileSync(join(repo, 'kgraphfs.config.json'), '{"docs": ".."}');
  t.match(
    failure(() => loadSettings({}, repo)),
    new RegExp(`or all of it by --docs ${home} --state ${state}$`),
    'the folder around the home may not be one to write to',
  );
  writeFileSync(join(repo, 'kgraphfs.config.json'), '{"docs": "..", "state": "kept"}');
  t.match(
    failure(() => loadSettings({}, repo)),
    new RegExp(`or all of it by --docs ${home}$`),
    'the config says where the state is',
  );
  t.equal(loadSettings({ docs: home }, repo).state, join(repo, 'kept'));
});

t.test('an index of a home goes on working, wherever it lies', async (t) => {
  const folder = project(t, ['home', 'elsewhere'], {});
  const [home, state] = [join(folder, 'home'), join(folder, 'elsewhere', 'state')];
  useHome(t, home);
  mkdirSync(state);
  t.match(
    failure(() => loadSettings({ state }, home)),
    /this is your home folder/,
  );
  noteRoots(state, [{ name: '', folder: home }]);
  t.equal(loadSettings({ state }, home).docs, home);

  const beside = join(home, '.kgraphfs');
  mkdirSync(beside);
  noteRoots(beside, [{ name: '', folder: join(home, 'docs') }]);
  t.equal(loadSettings({}, home).docs, join(home, 'docs'), 'docs that are away are said to be missing');
});

t.test('a project may have a home in it, or be one', async (t) => {
  const folder = project(t, ['home'], {});
  useHome(t, join(folder, 'home'));
  t.equal(loadSettings({}, folder).docs, folder);
  useHome(t, folder);
  t.match(
    failure(() => loadSettings({}, folder)),
    /this is your home folder/,
  );
  mkdirSync(join(folder, '.git'));
  t.equal(loadSettings({}, folder).docs, folder, 'who keeps all of it in git has no mere home');
});

t.test('a folder is too wide for what it is, not for its name', async (t) => {
  const folder = project(t, ['docs', 'other', 'state'], {});
  const file = { file: '/kgraphfs.config.json', text: '{"docs": "."}', config: {} };
  t.match(
    failure(() => rootsOfConfig('.', file, '/', {})),
    /the root of all files/,
    'even a config file there does not mean it',
  );
  t.equal(whatIsTooWide('/root', '/home/me'), 'a folder of the system', 'the home of somebody else');
  t.equal(whatIsTooWide('/srv', '/home/me'), undefined);
  useHome(t, join(folder, 'docs'));
  t.equal(loadSettings({}, folder).docs, join(folder, 'docs'), 'a folder of docs that is used as a home');
  const [other, state] = [join(folder, 'other'), join(folder, 'state')];
  noteRoots(state, [{ name: '', folder: join(folder, 'gone') }]);
  t.equal(loadSettings({ state }, other).docs, other, 'docs of another project are not looked for here');
});

import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { prepareStateFolder, stateFolderAt } from '../../src/state/state-folder.ts';
import { refuseForeignFolder } from '../../src/state/whose-folder.ts';
import { diskInMemory, needsRootToMount } from '../support/disk-in-memory.ts';
import { type Teardown, temporaryFolder } from '../support/temporary.ts';

/** A folder with these things in it: a name that ends in a slash is a folder, else a file of this text. */
function folderOf(t: Teardown, things: Readonly<Record<string, string>>, mode = 0o755): string {
  const path = join(temporaryFolder(t), 'state');
  mkdirSync(path);
  for (const [name, text] of Object.entries(things)) {
    if (name.endsWith('/')) mkdirSync(join(path, name));
    else writeFileSync(join(path, name), text);
  }
  chmodSync(path, mode);
  return path;
}

t.test('all folders on the way are made, and closed to others', async (t) => {
  const state = stateFolderAt(join(temporaryFolder(t), 'a/b/state'));
  prepareStateFolder(state);
  prepareStateFolder(state);
  for (const path of [state.path, state.daemonsFolder]) t.equal(statSync(path).mode & 0o777, 0o700);
});

t.test('where the kernel makes no folders, that is said and not tried for ever', async (t) => {
  const state = stateFolderAt('/proc/none/state');
  t.throws(() => prepareStateFolder(state), {
    message: /\/proc\/none\/state: the state folder cannot be used/,
  });
});

t.test('a folder in which other things are kept is left as it was', async (t) => {
  const foreign: [string, Readonly<Record<string, string>>, number?][] = [
    ['documents', { 'charge.md': '# Charge\n' }],
    ['a repository', { '.git/': '', '.gitignore': '*\n', 'src/': '' }],
    ['a folder of a program of somebody else', { 'modules/': '', 'daemon.log': '', 'notes.txt': '' }],
    ['a database of the same name', { 'index.sqlite': '', 'main.c': '' }],
    ['an ignore file of somebody', { '.gitignore': 'dist/\n' }],
    ['a closed folder of keys', { id_ed25519: '' }, 0o700],
    ['modules of a program', { 'modules/': '' }],
  ];
  for (const [what, things, mode = 0o755] of foreign) {
    const path = folderOf(t, things, mode);
    const before = readdirSync(path);
    t.throws(
      () => prepareStateFolder(stateFolderAt(path)),
      {
        name: 'UserError',
        message: /state: there are other things in this folder .*--state, such as .*\/state\/\.kgraphfs$/,
      },
      what,
    );
    t.same(readdirSync(path), before, what);
    t.equal(statSync(path).mode & 0o777, mode, what);
  }
});

t.test('what we worked in before, or were kept from finishing, is taken', async (t) => {
  const ours: [string, Readonly<Record<string, string>>, number?][] = [
    ['an empty folder', {}],
    ['a fresh filesystem', { 'lost+found/': '' }],
    ['half made', { 'daemons/': '' }],
    ['half made, on a fresh filesystem', { 'lost+found/': '', 'daemons/': '', '.gitignore': '*\n' }],
    ['memory alone, put back from a backup', { 'context.sqlite': '', 'scratchpads/': '' }],
    [
      'of an older version, without an ignore file',
      { 'daemons/': '', 'index.sqlite': '', 'old-name.json': '' },
    ],
    ['wiped, with something of somebody in it', { '.gitignore': '*\n', 'notes.txt': '' }, 0o700],
    ['of which a log is left', { 'daemon.log': '' }, 0o700],
    [
      'with what was put aside',
      { 'context.sqlite': '', 'context.sqlite.damaged-17': '', 'daemon.log.1': '' },
    ],
    [
      'with an ignore file of somebody',
      { 'daemons/': '', 'index.sqlite': '', '.gitignore': '!extractions.sqlite\n' },
    ],
  ];
  for (const [what, things, mode] of ours) {
    const state = stateFolderAt(folderOf(t, things, mode));
    prepareStateFolder(state);
    t.equal(statSync(state.path).mode & 0o777, 0o700, what);
    t.ok(readdirSync(state.path).includes('.gitignore'), what);
  }
  const named = join(temporaryFolder(t), '.kgraphfs');
  mkdirSync(named);
  writeFileSync(join(named, 'notes.txt'), '');
  t.doesNotThrow(() => prepareStateFolder(stateFolderAt(named)), 'its name is ours');
});

t.test('some of what is there is named, so that one sees which folder that is', (t) => {
  const prepare = (names: readonly string[]) => {
    const things = Object.fromEntries(names.map((name) => [name, '']));
    prepareStateFolder(stateFolderAt(folderOf(t, things)));
  };
  t.throws(() => prepare(['c', 'b', 'a']), { message: /folder \(a, b, c\), / });
  t.throws(() => prepare(['d', 'c', 'b', 'a']), { message: /folder \(a, b, c, …\), / });
  t.throws(() => prepare(['index.sqlite', 'z']), { message: /folder \(z\), / }, 'and not what we make');
  t.throws(() => prepare(['modules/']), { message: /folder \(modules\), / }, 'where that is all');
  t.end();
});

t.test('a link or a pipe in a state folder is refused, whatever it is called and wherever it leads', (t) => {
  const path = folderOf(t, { 'daemons/': '', '.gitignore': '*\n' }, 0o700);
  const state = stateFolderAt(path);
  const mine = join(path, 'context.sqlite');
  const makes: [what: RegExp, make: () => void][] = [
    [/context\.sqlite: it is a link/, () => symlinkSync('/etc/hosts', mine)],
    [/context\.sqlite: it is a link/, () => symlinkSync('nowhere', mine)],
    [/context\.sqlite: it is no file and no folder/, () => execFileSync('mkfifo', [mine])],
  ];
  for (const [message, make] of makes) {
    make();
    t.throws(() => prepareStateFolder(state), { name: 'UserError', message });
    t.throws(() => refuseForeignFolder(state), { name: 'UserError', message });
    t.doesNotThrow(() => refuseForeignFolder(state, { mayHoldLinks: true }), 'by who follows none');
    rmSync(mine);
  }
  t.doesNotThrow(() => prepareStateFolder(state));
  t.end();
});

t.test('a full disk leaves no ignore file that ignores nothing', needsRootToMount, async (t) => {
  const disk = diskInMemory(t, 'size=64k');
  const state = stateFolderAt(join(disk, 'state'));
  const ballast = join(disk, 'ballast');
  writeFileSync(ballast, Buffer.alloc(64 * 1024));
  t.throws(() => prepareStateFolder(state), { message: /state folder cannot be used \(ENOSPC/ });
  t.same(readdirSync(state.path), ['daemons']);
  rmSync(ballast);
  prepareStateFolder(state);
  t.equal(readFileSync(join(state.path, '.gitignore'), 'utf8'), '*\n');
});

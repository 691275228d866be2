import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import t from 'tap';
import { findPlace, howToRead } from '../../src/cli/project.ts';
import { checkProject } from '../../src/integrity/check.ts';
import { libraryIo } from '../../src/library/library-io.ts';
import { registerDaemon } from '../../src/state/daemons.ts';
import { stateFolderAt } from '../../src/state/state-folder.ts';
import { openContextStore } from '../../src/store/context-store.ts';
import { MAIN } from '../cli/run-cli.ts';
import { runHere } from '../cli/run-here.ts';
import { needsFuse } from '../fuse/fuse-available.ts';
import { NOBODY } from '../support/nobody.ts';
import { type Teardown, temporaryFolder } from '../support/temporary.ts';

const asRoot = { skip: process.getuid?.() === 0 ? false : 'only root can give files away' };

/** A project with a memory. */
async function project(t: Teardown): Promise<string> {
  const folder = temporaryFolder(t);
  cpSync('docs/sample/errors.md', join(folder, 'docs/errors.md'));
  await runHere(['build'], { cwd: folder });
  await runHere(['vfs', 'write', '/context/memory/fact/refunds', 'Refunds take five days'], { cwd: folder });
  return folder;
}

/** Root without its privileges: of files of others it may do what their modes say. */
function unprivileged(folder: string, ...args: string[]) {
  const command = ['--bounding-set=-all', '--inh-caps=-all', process.execPath, MAIN, ...args];
  return spawnSync('setpriv', command, { cwd: folder, encoding: 'utf8' });
}

/** Names of all files, whose they are and what the memory is. */
function stateOf(folder: string) {
  const state = join(folder, '.kgraphfs');
  const names = readdirSync(state).filter((name) => !/-(?:wal|shm)$/.test(name));
  return names.map((name) => {
    const { uid, ino, size } = lstatSync(join(state, name));
    return { name, uid, ino, size };
  });
}

for (const name of ['context.sqlite', 'index.sqlite', 'search.sqlite', 'memory-search.sqlite']) {
  t.test(
    `${name} that may not be read is not taken for damaged, and the way out is told`,
    asRoot,
    async (t) => {
      const folder = await project(t);
      await runHere(['search', 'refunds'], { cwd: folder });
      const file = join(folder, '.kgraphfs', name);
      chownSync(file, NOBODY, NOBODY);
      chmodSync(file, 0o600);
      const before = stateOf(folder);
      const { status, stdout: out, stderr } = unprivileged(folder, 'check', '--repair');
      t.equal(status, 1, stderr);
      t.match(
        out,
        new RegExp(`wrong .*${name} cannot be looked at, and is left as it is: it belongs to user ${NOBODY}`),
      );
      t.match(out, `fix: sudo chown 0 ${file}`);
      t.same(stateOf(folder), before);
    },
  );
}

t.test('a file of the state folder that is a folder is told of', async (t) => {
  for (const name of ['index.sqlite', 'context.sqlite', 'search.sqlite', 'commits.sqlite']) {
    const folder = await project(t);
    const file = join(folder, '.kgraphfs', name);
    rmSync(file, { force: true });
    mkdirSync(file);
    const { status, out } = await runHere(['check', '--repair'], { cwd: folder });
    t.equal(status, 1);
    t.match(out, new RegExp(`wrong .*${name} cannot be looked at, and is left as it is: it is a folder`));
    t.match(out, `fix: move it away: mv ${file}`);
    t.ok(lstatSync(file).isDirectory());
    t.same(readdirSync(file), []);
  }
});
t.test(
  'nobody opens anything in the state folder of another user, and no file is made there',
  asRoot,
  async (t) => {
    const folder = await project(t);
    const state = join(folder, '.kgraphfs');
    for (const name of ['.', ...readdirSync(state, { recursive: true, encoding: 'utf8' })])
      chownSync(join(state, name), NOBODY, NOBODY);
    const before = stateOf(folder);
    for (const args of [
      ['context', 'memory', 'add', 'fact/terms', 'Net 30'],
      ['context', 'memory', 'list'],
      ['search', 'refunds'],
      ['query', 'MATCH (n) RETURN n LIMIT 1'],
      ['nodes'],
      ['ask', '--no-llm', 'refunds'],
      ['build'],
      ['check', '--repair'],
    ]) {
      const { status, err } = await runHere(args, { cwd: folder });
      t.not(status, 0, args.join(' '));
      t.match(
        err,
        `${state}: the state folder belongs to another user (${NOBODY}); run kgraphfs as that user`,
      );
    }
    t.same(stateOf(folder), before);
  },
);

t.test(
  'files of another user in one’s own state folder are named, with what gives them back',
  asRoot,
  async (t) => {
    const folder = await project(t);
    const state = join(folder, '.kgraphfs');
    for (const name of ['context.sqlite', 'index.sqlite']) chownSync(join(state, name), NOBODY, NOBODY);
    const { status, out } = await runHere(['check'], { cwd: folder });
    t.equal(status, 1);
    t.match(out, `it belongs to user ${NOBODY}`);
    const files = ['index.sqlite', 'context.sqlite'].map((name) => join(state, name));
    t.match(out, `fix: sudo chown 0 ${files.join(' ')}\n`);
  },
);

t.test('a file of one’s own that may not be written is named', asRoot, async (t) => {
  const folder = await project(t);
  const file = join(folder, '.kgraphfs/context.sqlite');
  chmodSync(file, 0o400);
  const { status, stdout } = unprivileged(folder, 'check');
  t.equal(status, 1);
  t.match(stdout, `fix: chmod u+rw ${file}`);
});

t.test(
  'what check tells to do about a file that may not be written opens what SQLite made beside it, too',
  asRoot,
  async (t) => {
    const folder = await project(t);
    const file = join(folder, '.kgraphfs/context.sqlite');
    for (const part of ['-wal', '-shm']) rmSync(`${file}${part}`, { force: true });
    chmodSync(file, 0o400);
    const { stdout } = unprivileged(folder, 'check');
    t.match(stdout, `fix: chmod u+rw ${file} ${file}-wal ${file}-shm\n`);

    chmodSync(file, 0o600);
    const { status, stdout: out, stderr } = unprivileged(folder, 'check');
    t.equal(status, 1);
    t.equal(stderr, '');
    t.match(out, 'context.sqlite-shm cannot be opened for writing, and is left as it is: no permission');
    const remedy = /fix: (chmod u\+rw .*)/.exec(out)?.[1] ?? '';
    t.equal(remedy, `chmod u+rw ${file}-shm`);

    execFileSync('sh', ['-c', remedy]);
    const after = unprivileged(folder, 'check');
    t.equal(after.status, 0, after.stdout + after.stderr);
    t.match(unprivileged(folder, 'context', 'memory', 'add', 'fact/terms', 'Net 30'), { status: 0 });
  },
);

t.test('no mode of a file is to be changed where its disk is mounted read-only', asRoot, async (t) => {
  const folder = await project(t);
  const state = join(folder, '.kgraphfs');
  chmodSync(join(state, 'context.sqlite'), 0o400);
  // A bind mount says of a file whose mode refuses that, and not that it is read-only.
  const script = 'mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" && cd "$2" && shift 2 && exec "$@"';
  const rights = ['setpriv', '--bounding-set=-all', '--inh-caps=-all'];
  const command = ['-c', script, 'sh', state, folder, ...rights, process.execPath, MAIN, 'check'];
  const { status, stdout } = spawnSync('unshare', ['--mount', 'sh', ...command], { encoding: 'utf8' });
  t.equal(status, 1);
  t.match(stdout, /^wrong .*the state folder can only be read \(its disk is mounted read-only\)/);
  t.match(stdout, 'fix: have the disk mounted for writing, or choose another with --state');
  t.notMatch(stdout, /chmod|chown|when that is put right/);
});

t.test('what check found is told though a later part stops it', async (t) => {
  const folder = await project(t);
  const state = join(folder, '.kgraphfs');
  const index = new Sqlite(join(state, 'index.sqlite'));
  index.pragma('user_version = 9999');
  index.close();
  chmodSync(state, 0o755);
  const { status, out, err } = await runHere(['check'], { cwd: folder });
  t.equal(status, 1);
  t.match(out, /^wrong .*other users may look into the state folder/);
  t.match(err, /\.kgraphfs\/index\.sqlite: written by a newer kgraphfs/);
  const json = await runHere(['check', '--json'], { cwd: folder });
  t.match(JSON.parse(json.out), { ok: false, findings: [{ problem: 'open-folder' }] });
  chmodSync(state, 0o700);
  t.match(await runHere(['check'], { cwd: folder }), { status: 1, out: '', err: /written by a newer/ });
});

t.test('each file of a newer version is named with a way out that works, and memory stays', async (t) => {
  const folder = await project(t);
  const version = (file: string, number: number): void => {
    const database = new Sqlite(join(folder, '.kgraphfs', file));
    database.pragma(`user_version = ${number}`);
    database.close();
  };
  const list = () => runHere(['context', 'memory', 'list'], { cwd: folder });
  const { out: remembered } = await list();
  for (const file of ['index.sqlite', 'search.sqlite', 'memory-search.sqlite', 'history-search.sqlite']) {
    version(file, 9999);
    t.match(await list(), { status: 1, err: new RegExp(`/${file}: written by a newer .*"kgraphfs wipe"`) });
    t.match(await runHere(['wipe', '--yes'], { cwd: folder }), { status: 0 });
    t.same(await list(), { status: 0, out: remembered, err: '' }, file);
  }
  version('context.sqlite', 9999);
  t.match(await list(), { status: 1, err: /another --state folder.*"kgraphfs context memory export"/ });
});

for (const [title, lose] of [
  ['removed', (file: string) => rmSync(file)],
  ['emptied', (file: string) => truncateSync(file)],
] as const) {
  t.test(
    `a file of memory that was ${title} is told of, and no empty one takes its place unasked`,
    async (t) => {
      const folder = await project(t);
      const file = join(folder, '.kgraphfs/context.sqlite');
      for (const part of ['-wal', '-shm']) rmSync(`${file}${part}`, { force: true });
      lose(file);
      const list = () => runHere(['context', 'memory', 'list'], { cwd: folder });
      t.match(await list(), { status: 1, err: `${file}: the file of memory and history is gone or empty` });
      t.match(await runHere(['check'], { cwd: folder }), {
        status: 1,
        out: /THE FILE OF MEMORY AND HISTORY IS GONE OR EMPTY.*\n.*\n.*-wal and -shm away and put a backup of it at/,
      });
      t.match(await list(), { status: 1 }, 'it is told of for as long as it is lost');
      t.match(await runHere(['check', '--repair'], { cwd: folder }), {
        status: 1,
        out: /a new one is begun now/,
      });
      t.match(await list(), { status: 0 });
      t.match(await runHere(['check'], { cwd: folder }), { status: 0 });
    },
  );
}

t.test('a daemon that goes on with a file of memory that was removed is told of', async (t) => {
  const folder = await project(t);
  const state = stateFolderAt(join(folder, '.kgraphfs'));
  const store = openContextStore(state.contextFile);
  t.teardown(() => store.close());
  t.teardown(registerDaemon(state, { mountpoint: '/mnt/my docs', docs: join(folder, 'docs') }));
  t.match(await runHere(['check'], { cwd: folder }), { status: 0 });
  const told = {
    status: 1,
    out: /WAS REMOVED OR REPLACED under the daemon mounted at .mnt.my docs.*\n.*\n.*cp -r '.mnt.my docs.context.memory' saved-memory/,
  };
  rmSync(state.contextFile);
  t.match(await runHere(['check', '--repair'], { cwd: folder }), told);
  t.notOk(existsSync(state.contextFile), 'and none is made in its place');
  writeFileSync(state.contextFile, '');
  t.match(await runHere(['check'], { cwd: folder }), told, 'replaced');
});

t.test('a file is not replaced under a daemon that begins during a check', async (t) => {
  const folder = await project(t);
  const io = libraryIo({ folder, actor: undefined, session: undefined, onWarning: () => {} });
  const args = { docs: [], state: undefined, config: undefined, json: undefined };
  const place = await findPlace(args, io);
  const { indexFile } = place.state;
  writeFileSync(indexFile, 'no index');
  const options = { ...(await howToRead(place)), state: place.state, repair: true };
  const checking = checkProject(options);
  const release = registerDaemon(place.state, { mountpoint: null, docs: folder });
  t.teardown(release);
  const { findings } = await checking;
  t.match(findings, [{ part: 'index', mended: false, remedy: /^end the daemons/ }]);
  t.equal(readFileSync(indexFile, 'utf8'), 'no index');
});

t.test(
  'a disk that keeps no modes is told of, where the state folder stays open',
  needsFuse('strace'),
  async (t) => {
    const folder = await project(t);
    const state = join(folder, '.kgraphfs');
    chmodSync(state, 0o755);
    const taken = ['-f', '-qq', '-o', '/dev/null', '-P', state, '-e', 'inject=chmod,fchmodat:retval=0'];
    const repair = [...taken, process.execPath, MAIN, 'check', '--repair'];
    const { status, stdout } = spawnSync('strace', repair, { cwd: folder, encoding: 'utf8' });
    t.match(
      stdout,
      /^wrong .*other users may look into(?:.|\n)*fix: its disk does not keep file modes.*umask=077.*--state/,
    );
    t.equal(status, 1);
    t.match(await runHere(['check', '--repair'], { cwd: folder }), { status: 0, out: /^repaired / });
    t.match(await runHere(['check'], { cwd: folder }), { status: 0 });
  },
);

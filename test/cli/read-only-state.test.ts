import { execFileSync, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  closeSync,
  copyFileSync,
  cpSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import t, { type Test } from 'tap';
import { forgetUnmoving, takeAsUnmoving, whyMoved } from '../../src/disk/unmoving-files.ts';
import { openOnlyRead, openSqlite } from '../../src/store/only-read.ts';
import { needsRoot } from '../durability/small-disk.ts';
import { GitSandbox } from '../git/sandbox.ts';
import { AS_NOBODY, whyNotAsNobody } from '../support/nobody.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { testWhereModesCount } from '../support/where-modes-count.ts';
import { kgraphfs, MAIN, type Ran } from './run-cli.ts';
import { runHere } from './run-here.ts';

const ONLY_READ =
  /^the state folder can only be read \((?:its disk is mounted read-only|no permission to write there): /m;
const LARGE_BYTES = 64 << 20;
const REFUSED = /(?:read-only|no permission|EACCES).*(?:--state|chmod)/s;

// The first that opens a database says for the whole process whether files are named by URIs.
openSqlite(':memory:').close();

interface Place {
  readonly folder: string;
  readonly state: string;
  /** In a process of its own. */
  run(...args: readonly string[]): Ran;
  /** In this process, as the first command of it. */
  runHere(...args: readonly string[]): Promise<Ran>;
}

function placeIn(folder: string): Place {
  mkdirSync(join(folder, 'docs'));
  writeFileSync(
    join(folder, 'docs/charges.md'),
    '# Charges\n\nA `Charge` requires a `Customer`. Charges are blue.\n',
  );
  writeFileSync(join(folder, 'docs/refunds.md'), '# Refunds\n\nA `Refund` belongs to a `Charge`.\n');
  const state = join(folder, '.kgraphfs');
  mkdirSync(state, { mode: 0o700 });
  return {
    folder,
    state,
    run: (...args) => kgraphfs(args, { cwd: folder }),
    runHere: (...args) => runHere(args, { cwd: folder }).finally(() => forgetUnmoving()),
  };
}

/** What is asked of a place whose folder is written to, with memory and history. */
const QUESTIONS: readonly (readonly [RegExp, ...string[]])[] = [
  [/Charge {2}/, 'query', 'Charge'],
  [/Refunds/, 'nodes'],
  [/charges\.md/, 'search', 'blue'],
  [/context\/memory\/fact\/sky/, 'search', 'violet'],
  [/documents? +2|Document +2/, 'stats'],
  [/Charge.*Refund/, 'connect', 'Charge', 'Refund'],
  [/"directed"/, 'export'],
  [/fact\/sky/, 'context', 'memory', 'list'],
  [/violet/, 'context', 'memory', 'show', 'sky'],
  [/"key":"sky"/, 'context', 'memory', 'export'],
  [/documents +2/, 'status'],
  [/create \/context\/memory\/fact\/sky/, 'context', 'history'],
  [/charges\.md/, 'vfs', 'list', '/docs'],
  [/violet/, 'vfs', 'read', '/context/memory/fact/sky'],
];

/** The same of commands that a process of their own runs without loading all others, see src/cli/quick. */
const QUICK_QUESTIONS: typeof QUESTIONS = [
  [/Charge/, 'inspect', 'Charge'],
  [/charges\.md/, 'ask', 'which charges are blue', '--no-llm'],
];

function built(place: Place): void {
  for (const args of [['build'], ['context', 'memory', 'add', 'fact/sky', 'the sky is violet']]) {
    const { status, err } = place.run(...args);
    if (status !== 0) throw new Error(err);
  }
}

type Run = (...args: readonly string[]) => Ran | Promise<Ran>;

async function asksAll(t: Test, run: Run, questions: typeof QUESTIONS): Promise<void> {
  for (const [expected, ...args] of questions)
    t.match(await run(...args), { status: 0, out: expected }, args.join(' '));
}

async function refusesAll(t: Test, run: Run, folder: string): Promise<void> {
  const late = join(folder, 'docs/late.md');
  t.match(await run('build'), { status: 0 }, 'there is nothing to be written');
  writeFileSync(late, '# Late\n');
  for (const args of [
    ['context', 'memory', 'add', 'fact/more', 'text'],
    ['context', 'memory', 'remove', 'sky'],
    ['start'],
    ['mount', join(folder, 'mnt')],
    ['session', 'new'],
    ['learn', 'reset'],
    ['vfs', 'write', '/context/memory/fact/more', 'text'],
    ['wipe'],
    ['wipe', '--yes'],
    ['build'],
  ]) {
    const ran = await run(...args);
    t.match(ran, { err: REFUSED }, args.join(' '));
    t.match(ran.err, '.kgraphfs', 'it names the folder');
    t.not(ran.status, 0);
  }
  const { status, out } = await run('check');
  t.equal(status, 1);
  t.match(
    out,
    /^wrong {3}state: the state folder can only be read \((?:its disk|no permission).*\n.*\.kgraphfs\n.*cp -a/,
  );
  t.equal(out.trimEnd().split('\n').length, 3, 'a check says so once, and not of each file');
  rmSync(late);
}

/** A place whose state folder is a disk of its own. */
function onDisk(t: Test, folder = temporaryFolder(t)): Place & { mounted(...how: string[]): void } {
  const place = placeIn(folder);
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'mode=700', 'tmpfs', place.state]);
  t.teardown(() => execFileSync('umount', ['--', place.state]));
  const mounted = (...how: string[]) =>
    execFileSync('mount', ['-o', ['remount', ...how].join(), '--', place.state]);
  return { ...place, mounted };
}

t.test('what only asks works on a disk that is mounted read-only', needsRoot(), async (t) => {
  const place = onDisk(t);
  built(place);
  place.mounted('ro');
  await asksAll(t, place.run, [...QUESTIONS, ...QUICK_QUESTIONS]);
  const { err } = place.run('search', 'blue');
  t.match(err, ONLY_READ, 'what is not kept is said');
  t.match(err, 'not entered in the history');
  t.equal(err.trimEnd().split('\n').length, 1);
  t.equal(place.run('stats').err, '', 'nothing is said where nothing would have been written');
  await refusesAll(t, place.run, place.folder);
});

/** For a first page, the index of a log and a part of what makes tables. */
const ROOM_FOR_NO_TABLES_BYTES = 96 << 10;

/** Takes what is left of the disk, but for so many bytes. @returns the file that has it */
function fill({ state }: Place, leftBytes = 0): string {
  const ballast = join(state, 'ballast');
  const descriptor = openSync(ballast, 'w');
  try {
    for (const block = Buffer.alloc(4096); ; ) writeSync(descriptor, block);
  } catch {
    ftruncateSync(descriptor, fstatSync(descriptor).size - leftBytes);
    return ballast;
  } finally {
    closeSync(descriptor);
  }
}

t.test('what only asks works on a full disk', needsRoot(), async (t) => {
  const place = onDisk(t);
  const { folder, run } = place;
  built(place);
  run('search', 'violet');
  run('context', 'memory', 'add', 'fact/grass', 'the grass is teal');
  place.mounted('rw', 'size=2m');
  const ballast = fill(place);
  await asksAll(t, place.runHere, [...QUESTIONS, [/fact\/grass/, 'search', 'teal']]);
  await asksAll(t, run, QUICK_QUESTIONS);
  const full = /^the state folder can only be read \(the disk is full: /;
  t.match(run('search', 'blue').err, full, 'what is not kept is said');
  const docs = join(folder, 'docs');
  const late = `# Late\n\n${'A `Late` requires a `Charge`.\n\n'.repeat(2000)}`;
  writeFileSync(join(docs, 'late.md'), late);
  const { status, out, err } = run('search', 'blue');
  t.match({ status, out }, { status: 0, out: /charges\.md/ });
  t.match(err, /the disk is full: .*: the index is behind the docs \(1 file added/);
  await asksAll(t, place.runHere, QUESTIONS);
  for (const args of [
    ['context', 'memory', 'add', 'fact/more', 'text'],
    ['context', 'memory', 'remove', 'sky'],
    ['vfs', 'write', '/context/memory/fact/more', 'text'],
    ['build'],
  ])
    t.match(
      await place.runHere(...args),
      { status: 1, err: /the disk is full.*free some space/ },
      args.join(' '),
    );
  rmSync(ballast);
  t.match(run('search', 'Late'), { status: 0, out: /late\.md/, err: '' }, 'with room all is as ever');
  t.match(run('context', 'memory', 'add', 'fact/more', 'text'), { status: 0 });
});

t.test('an index alone is enough on a full disk', needsRoot(), async (t) => {
  const place = onDisk(t);
  place.run('build');
  place.mounted('rw', 'size=1m');
  const ballast = fill(place);
  t.match(place.run('search', 'blue'), { status: 0, out: /charges\.md/ });
  t.match(await place.runHere('context', 'memory', 'list'), { status: 0, err: /no entries/ });
  rmSync(ballast);
  t.match(place.run('context', 'memory', 'add', 'fact/sky', 'the sky is violet'), { status: 0 });
  rmSync(join(place.state, 'index.sqlite'));
  fill(place);
  t.match(place.run('search', 'blue'), { status: 1, err: /the disk is full.*free some space/ });
});

t.test(
  'a disk with room for the first page of a database, and for no tables, is full',
  needsRoot(),
  async (t) => {
    const place = onDisk(t);
    place.run('build');
    place.mounted('rw', 'size=1m');
    const ballast = fill(place, ROOM_FOR_NO_TABLES_BYTES);
    for (const round of ['first', 'again'])
      t.match(await place.runHere('context', 'memory', 'list'), { status: 0, err: /no entries/ }, round);
    t.equal(statSync(join(place.state, 'context.sqlite')).size, 4096);
    t.match(place.run('search', 'blue'), { status: 0, out: /charges\.md/ });
    rmSync(ballast);
    t.match(place.run('context', 'memory', 'add', 'fact/sky', 'the sky is violet'), { status: 0 });
    for (const part of ['', '-wal', '-shm'])
      rmSync(join(place.state, `index.sqlite${part}`), { force: true });
    fill(place, ROOM_FOR_NO_TABLES_BYTES);
    for (const round of ['first', 'again'])
      t.match(place.run('search', 'blue'), { status: 1, err: /the disk is full.*free some space/ }, round);
  },
);

t.test('an index alone is enough on a disk that is mounted read-only', needsRoot(), async (t) => {
  const place = onDisk(t);
  t.equal(place.run('build').status, 0);
  for (const file of ['daemons', 'docs-seen.json'])
    rmSync(join(place.state, file), { recursive: true, force: true });
  place.mounted('ro');
  t.match(await place.runHere('query', 'Charge'), { status: 0, out: /Charge/, err: '' });
  t.match(await place.runHere('search', 'blue'), { status: 0, out: /charges\.md/ });
  t.match(await place.runHere('context', 'memory', 'list'), { status: 0, err: /no entries/ });
  t.match(await place.runHere('context', 'history'), { status: 0, err: /no entries/ });
  t.match(await place.runHere('context', 'memory', 'add', 'fact/more', 'text'), { status: 1, err: REFUSED });
  place.mounted('rw');
  rmSync(join(place.state, 'search.sqlite'));
  place.mounted('ro');
  const { status, err } = await place.runHere('search', 'blue');
  t.equal(status, 1);
  t.match(err, 'nothing found for "blue"');
  t.notMatch(err, 'being read for the first time', 'nobody reads them');
  place.mounted('rw');
  rmSync(join(place.state, 'index.sqlite'));
  place.mounted('ro');
  t.match(await place.runHere('stats'), {
    status: 1,
    err: /there is no index in this state folder.*--state/,
  });
});

t.test('an index that is behind the docs answers, and says so', needsRoot(), async (t) => {
  const place = onDisk(t);
  built(place);
  place.mounted('ro');
  const docs = join(place.folder, 'docs');
  cpSync(docs, join(place.folder, 'copy'), { recursive: true });
  rmSync(docs, { recursive: true });
  renameSync(join(place.folder, 'copy'), docs);
  t.equal((await place.runHere('stats')).err, '', 'a copy that says the same is no change');
  writeFileSync(join(docs, 'payouts.md'), '# Payouts\n\nA `Payout` requires a `Charge`.\n');
  writeFileSync(join(docs, 'notes.txt'), 'plain\n');
  writeFileSync(join(docs, 'charges.md'), '# Charges\n');
  rmSync(join(docs, 'refunds.md'));
  for (const args of [['stats'], ['search', 'blue'], ['nodes', '--json'], ['inspect', 'Refund']])
    t.match(
      place.run(...args),
      { status: 0, err: /behind the docs \(2 files added, 1 changed, 1 removed\)/ },
      args.join(' '),
    );
  t.match(await place.runHere('query', 'Refund'), { status: 0, out: /Charge/, err: ONLY_READ });
  rmSync(docs, { recursive: true });
  for (const args of [['stats'], ['query', 'Refund'], ['search', 'violet'], ['search', 'blue'], ['export']])
    for (const named of [[], ['--docs', 'docs']])
      t.match(
        await place.runHere(...args, ...named),
        { status: 0, err: /the docs are not there/ },
        [...args, ...named].join(' '),
      );
  t.match(await place.runHere('context', 'memory', 'list'), { status: 0, out: /fact\/sky/ });
});

/** What an entry is written to: itself, and the words of it. */
const FILES_OF_MEMORY = ['context.sqlite', 'memory-search.sqlite'];

/** Adds an entry and leaves memory as a crash does: what was written last is in the logs alone. @param parts what is left beside each file */
function addAndCrash({ state, folder, run }: Place, parts: readonly string[]): void {
  const aside = join(folder, 'aside');
  const open = FILES_OF_MEMORY.map((name) => new Sqlite(join(state, name)));
  try {
    for (const database of open) database.prepare('SELECT count(*) FROM sqlite_master').get();
    for (const args of [
      ['search', 'violet'],
      ['context', 'memory', 'add', 'fact/late', 'said last'],
    ]) {
      const { status, err } = run(...args);
      if (status !== 0) throw new Error(err);
    }
    mkdirSync(aside);
    for (const name of FILES_OF_MEMORY)
      for (const part of ['', ...parts])
        copyFileSync(join(state, `${name}${part}`), join(aside, `${name}${part}`));
  } finally {
    for (const database of open) database.close();
  }
  cpSync(aside, state, { recursive: true });
}

/** How many bytes this process has read from files, as the kernel counts them. */
function readBytes(): number {
  return Number(/^rchar: (\d+)$/m.exec(readFileSync('/proc/self/io', 'utf8'))?.[1]);
}

t.test('of a large file for search only what is asked for is read', needsRoot(), async (t) => {
  const place = onDisk(t);
  built(place);
  const search = new Sqlite(join(place.state, 'search.sqlite'));
  search.exec(`CREATE TABLE much AS SELECT zeroblob(${LARGE_BYTES}) AS bytes`);
  search.close();
  // So that what the index lacks is looked for.
  writeFileSync(join(place.folder, 'docs/late.md'), '# Late\n');
  place.mounted('ro');
  t.teardown(forgetUnmoving);
  const before = readBytes();
  t.match(await runHere(['search', 'blue'], { cwd: place.folder }), {
    status: 0,
    out: /charges\.md/,
    err: /1 file added/,
  });
  t.ok(readBytes() - before < LARGE_BYTES);
});

t.test('what was written to from elsewhere while it was read is no answer', async (t) => {
  const file = join(temporaryFolder(t), 'index.sqlite');
  writeFileSync(file, 'as it was');
  takeAsUnmoving(file);
  t.teardown(forgetUnmoving);
  t.match(await runHere(['--version']), { status: 0, err: '' });
  writeFileSync(file, 'as it is now');
  t.match(await runHere(['--version']), { status: 1, err: /index\.sqlite: was written to from elsewhere/ });
});

for (const parts of [['-wal'], ['-wal', '-shm']])
  t.test(`what a crash left in ${parts.join(' and ')} is read, too`, needsRoot(), async (t) => {
    const place = onDisk(t);
    built(place);
    addAndCrash(place, parts);
    place.mounted('ro');
    t.match(await place.runHere('context', 'memory', 'list'), { status: 0, out: /fact\/late/ });
    t.match(await place.runHere('search', 'last'), { status: 0, out: /fact\/late/ });
    t.match(await place.runHere('context', 'history'), { status: 0, out: /fact\/late/ });
    t.match(await place.runHere('context', 'memory', 'add', 'fact/more', 'text'), {
      status: 1,
      err: REFUSED,
    });
  });

t.test(
  'what a crash left is read where it lies, and a copy of it is made nowhere',
  needsRoot(),
  async (t) => {
    const place = onDisk(t);
    built(place);
    addAndCrash(place, ['-wal']);
    place.mounted('ro');
    const { state, folder } = place;
    t.match(kgraphfs(['context', 'memory', 'list'], { cwd: folder, env: { TMPDIR: state } }), {
      status: 0,
      out: /fact\/late/,
      err: '',
    });
    t.teardown(forgetUnmoving);
    const database = openOnlyRead(join(state, 'context.sqlite'), 0);
    t.teardown(() => database.close());
    t.throws(() => database.exec('CREATE TABLE more (number)'), { code: /^SQLITE_READONLY/ });
    t.equal(whyMoved(), undefined);
    place.mounted('rw');
    appendFileSync(join(state, 'context.sqlite-wal'), 'more');
    t.match(whyMoved(), { message: /context\.sqlite-wal: was written to from elsewhere/ });
  },
);

t.test('commits are asked for on a disk that is mounted read-only', needsRoot(), async (t) => {
  const sandbox = new GitSandbox(t);
  const place = onDisk(t, sandbox.folder);
  const { run } = place;
  sandbox.commit('first');
  sandbox.write('docs/payouts.md', '# Payouts\n\nA `Payout` requires a `Refund`.\n');
  sandbox.commit('second');
  built(place);
  const questions: typeof QUESTIONS = [
    [/\+ Payout/, 'graph', 'diff', 'HEAD~1..HEAD'],
    [/"entity": "Refund"/, 'vfs', 'read', '/graph/at/HEAD~1/nodes/Refund'],
    [/would sync/, 'sync', '--dry-run'],
    [/^$/, 'lint', '--staged'],
  ];
  place.mounted('ro');
  await asksAll(t, place.run, questions);
  t.match(run('graph', 'log'), { status: 1, err: /no commit is recorded yet/ });
  t.match(run('hooks', 'install'), {
    status: 0,
    out: /pre-commit +installed/,
    err: /^the state folder can only be read \(its disk.*: the hooks .* record nothing .*--state\n$/,
  });
  t.match(run('hooks', 'uninstall'), { status: 0, err: '' });
  place.mounted('rw');
  t.equal(run('hooks', 'install').status, 0);
  t.equal(run('sync').status, 0);
  place.mounted('ro');
  await asksAll(t, place.run, questions);
  t.match(run('graph', 'log'), { status: 0, out: /second/ });
  t.notMatch(run('graph', 'log').out, 'first', 'what was read for an answer is not kept');
  t.match(run('sync'), { status: 1, err: REFUSED });
  sandbox.write('docs/payouts.md', '# Payouts\n\nSee [what is gone](gone.md).\n');
  sandbox.git('add', 'docs');
  t.match(
    sandbox.attempt('commit', '-m', 'third'),
    { status: 1, stderr: /payouts\.md.*gone\.md/ },
    'by a hook, too',
  );
});

t.test('commits are asked for on a full disk', needsRoot(), async (t) => {
  const sandbox = new GitSandbox(t);
  const place = onDisk(t, sandbox.folder);
  sandbox.commit('first');
  sandbox.write('docs/payouts.md', '# Payouts\n\nA `Payout` requires a `Refund`.\n');
  sandbox.commit('second');
  built(place);
  place.mounted('rw', 'size=2m');
  fill(place);
  await asksAll(t, place.run, [
    [/\+ Payout/, 'graph', 'diff', 'HEAD~1..HEAD'],
    [/"entity": "Refund"/, 'vfs', 'read', '/graph/at/HEAD~1/nodes/Refund'],
    [/^$/, 'lint', '--staged'],
  ]);
  t.match(place.run('sync'), { status: 1, err: /the disk is full.*free some space/ });
});

t.test('an index of an older version is said to need another folder', needsRoot(), async (t) => {
  const place = onDisk(t);
  built(place);
  const index = new Sqlite(join(place.state, 'index.sqlite'));
  index.pragma(`user_version = ${Number(index.pragma('user_version', { simple: true })) - 1}`);
  index.close();
  place.mounted('ro');
  t.match(await place.runHere('query', 'Charge'), {
    status: 1,
    err: /written by an older kgraphfs, and the state folder can only be read.*have the disk mounted.*--state.*build/,
  });
});

const asNobody = whyNotAsNobody();
t.test('of a closed folder that is not theirs nobody is told to open it', { skip: asNobody }, async (t) => {
  const place = placeIn(temporaryFolder(t));
  built(place);
  chmodSync(place.folder, 0o755);
  const [command, ...args] = [...AS_NOBODY, process.execPath, MAIN, 'search', 'blue'];
  const { status, stderr } = spawnSync(command, args, { cwd: place.folder, encoding: 'utf8' });
  t.equal(status, 1);
  t.match(stderr, /the state folder belongs to another user.*--state/);
  t.notMatch(stderr, 'chmod');
});

t.test(
  'a folder that is marked as what nobody may change is told with what takes the mark away',
  async (t) => {
    const place = placeIn(temporaryFolder(t));
    built(place);
    const isMarked = spawnSync('chattr', ['+i', place.state]).status === 0;
    if (!isMarked) t.comment('no mark can be made here');
    t.teardown(() => spawnSync('chattr', ['-i', place.state]));
    const { status, err } = place.run('context', 'memory', 'add', 'fact/more', 'text');
    t.equal(status, isMarked ? 1 : 0);
    if (isMarked) t.match(err, /sudo chattr -i .*\.kgraphfs/);
    t.match(place.run('search', 'blue'), { status: 0, out: /charges\.md/ });
  },
);

testWhereModesCount('what only asks works in a folder that its modes close', async (t) => {
  const place = placeIn(temporaryFolder(t));
  built(place);
  const files = readdirSync(place.state).map((name) => join(place.state, name));
  const changeModes = (mode: number, ofFolder: number) => {
    chmodSync(place.state, 0o700);
    for (const file of files) chmodSync(file, file.endsWith('daemons') ? ofFolder : mode);
    chmodSync(place.state, ofFolder);
  };
  t.teardown(() => changeModes(0o600, 0o700));
  changeModes(0o400, 0o500);
  await asksAll(t, place.runHere, QUESTIONS);
  await asksAll(t, place.run, QUICK_QUESTIONS);
  t.match((await place.runHere('search', 'blue')).err, ONLY_READ);
  await refusesAll(t, place.runHere, place.folder);
  changeModes(0o600, 0o500);
  await asksAll(t, place.runHere, QUESTIONS);
  await asksAll(t, place.run, QUICK_QUESTIONS);
});

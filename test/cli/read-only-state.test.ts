import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
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
import {
  asksAll,
  built,
  onDisk,
  type Place,
  placeIn,
  QUESTIONS,
  QUICK_QUESTIONS,
  type Run,
} from './questioned-place.ts';
import { kgraphfs, MAIN } from './run-cli.ts';
import { runHere } from './run-here.ts';

const ONLY_READ =
  /^the state folder can only be read \((?:its disk is mounted read-only|no permission to write there): /m;
const LARGE_BYTES = 64 << 20;
const REFUSED = /(?:read-only|no permission|EACCES).*(?:--state|chmod)/s;

// The first that opens a database says for the whole process whether files are named by URIs.
openSqlite(':memory:').close();

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
    /^wrong {4}state: the state folder can only be read \((?:its disk|no permission).*\n.*\.kgraphfs\n.*cp -a/,
  );
  t.equal(out.trimEnd().split('\n').length, 3, 'a check says so once, and not of each file');
  rmSync(late);
}

t.test('what only asks works on a disk that is mounted read-only', needsRoot(), async (t) => {
  const place = onDisk(t);
  await built(place);
  place.mounted('ro');
  await asksAll(t, place.runHere, QUESTIONS);
  await asksAll(t, place.run, QUICK_QUESTIONS);
  const { err } = place.run('search', 'blue');
  t.match(err, ONLY_READ, 'what is not kept is said');
  t.match(err, 'not entered in the history');
  t.equal(err.trimEnd().split('\n').length, 1);
  t.equal(place.run('stats').err, '', 'nothing is said where nothing would have been written');
  await refusesAll(t, place.runHere, place.folder);
});

t.test('an index alone is enough on a disk that is mounted read-only', needsRoot(), async (t) => {
  const place = onDisk(t);
  t.equal((await place.runHere('build')).status, 0);
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
  await built(place);
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
      await place.runHere(...args),
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
  await built(place);
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
    await built(place);
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
    await built(place);
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
  const run = place.runHere;
  sandbox.commit('first');
  sandbox.write('docs/payouts.md', '# Payouts\n\nA `Payout` requires a `Refund`.\n');
  sandbox.commit('second');
  await built(place);
  const questions: typeof QUESTIONS = [
    [/\+ Payout/, 'graph', 'diff', 'HEAD~1..HEAD'],
    [/"entity": "Refund"/, 'vfs', 'read', '/graph/at/HEAD~1/nodes/Refund'],
    [/would sync/, 'sync', '--dry-run'],
    [/^$/, 'lint', '--staged'],
  ];
  place.mounted('ro');
  await asksAll(t, place.runHere, questions);
  t.match(await run('graph', 'log'), { status: 1, err: /no commit is recorded yet/ });
  t.match(await run('hooks', 'install'), {
    status: 0,
    out: /pre-commit +installed/,
    err: /^the state folder can only be read \(its disk.*: the hooks .* record nothing .*--state\n$/,
  });
  t.match(await run('hooks', 'uninstall'), { status: 0, err: '' });
  place.mounted('rw');
  t.equal((await run('hooks', 'install')).status, 0);
  t.equal((await run('sync')).status, 0);
  place.mounted('ro');
  await asksAll(t, place.runHere, questions);
  t.match(await run('graph', 'log'), { status: 0, out: /second/ });
  t.notMatch((await run('graph', 'log')).out, 'first', 'what was read for an answer is not kept');
  t.match(await run('sync'), { status: 1, err: REFUSED });
  sandbox.write('docs/payouts.md', '# Payouts\n\nSee [what is gone](gone.md).\n');
  sandbox.git('add', 'docs');
  t.match(
    sandbox.attempt('commit', '-m', 'third'),
    { status: 1, stderr: /payouts\.md.*gone\.md/ },
    'by a hook, too',
  );
});

t.test('an index of an older version is said to need another folder', needsRoot(), async (t) => {
  const place = onDisk(t);
  await built(place);
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
  await built(place);
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
    await built(place);
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
  await built(place);
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

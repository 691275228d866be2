import { readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { choiceText, docsText } from '../../src/core/docs-selection.ts';
import { registerDaemon } from '../../src/state/daemons.ts';
import { stateFolderAt } from '../../src/state/state-folder.ts';
import { tellStatus } from '../../src/state/told-status.ts';
import { openSqlite } from '../../src/store/only-read.ts';
import { needsRoot } from '../durability/small-disk.ts';
import { GitSandbox } from '../git/sandbox.ts';
import { oneFolder } from '../support/one-folder.ts';
import { asksAll, built, fill, onDisk, QUESTIONS, QUICK_QUESTIONS } from './questioned-place.ts';

// The first that opens a database says for the whole process whether files are named by URIs.
openSqlite(':memory:').close();

/** For a first page, the index of a log and a part of what makes tables. */
const ROOM_FOR_NO_TABLES_BYTES = 96 << 10;

t.test('what only asks works on a full disk', needsRoot(), async (t) => {
  const place = onDisk(t);
  const { folder, run } = place;
  await built(place);
  await place.runHere('search', 'violet');
  await place.runHere('context', 'memory', 'add', 'fact/grass', 'the grass is teal');
  place.mounted('rw', 'size=2m');
  const ballast = fill(place);
  await asksAll(t, place.runHere, [...QUESTIONS, [/fact\/grass/, 'search', 'teal']]);
  await asksAll(t, run, QUICK_QUESTIONS);
  const full = /^the state folder can only be read \(the disk is full: /;
  t.match(run('search', 'blue').err, full, 'what is not kept is said');
  const docs = join(folder, 'docs');
  const late = `# Late\n\n${'A `Late` requires a `Charge`.\n\n'.repeat(300)}`;
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
  await place.runHere('build');
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
    await place.runHere('build');
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

t.test('commits are asked for on a full disk', needsRoot(), async (t) => {
  const sandbox = new GitSandbox(t);
  const place = onDisk(t, sandbox.folder);
  sandbox.commit('first');
  sandbox.write('docs/payouts.md', '# Payouts\n\nA `Payout` requires a `Refund`.\n');
  sandbox.commit('second');
  await built(place);
  place.mounted('rw', 'size=2m');
  fill(place);
  await asksAll(t, place.run, [
    [/\+ Payout/, 'graph', 'diff', 'HEAD~1..HEAD'],
    [/"entity": "Refund"/, 'vfs', 'read', '/graph/at/HEAD~1/nodes/Refund'],
    [/^$/, 'lint', '--staged'],
  ]);
  t.match(place.run('sync'), { status: 1, err: /the disk is full.*free some space/ });
});

t.test('a daemon without room for its status does not seem to start for good', needsRoot(), async (t) => {
  const place = onDisk(t);
  await built(place);
  const state = stateFolderAt(place.state);
  const docs = oneFolder(join(place.folder, 'docs'));
  t.teardown(registerDaemon(state, { mountpoint: null, docs: docsText(docs), choice: choiceText(docs) }));
  t.match(await place.runHere('status'), {
    status: 3,
    out: /changing: the daemon is just starting or ending/,
  });
  place.mounted('rw', 'size=2m');
  fill(place);
  tellStatus(state, { state: 'ready' });
  t.equal(readdirSync(state.daemonsFolder).length, 1, 'no part of a status is left');
  t.match(await place.runHere('status'), {
    status: 3,
    out: /untold: the daemon is running but cannot write its status: the disk is full; free some space/,
  });
});

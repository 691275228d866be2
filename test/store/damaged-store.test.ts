import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import t from 'tap';
import { errorLines, latestErrors } from '../../src/app/error-lines.ts';
import { graphQueries } from '../../src/graph/queries.ts';
import { AccessCounts } from '../../src/memory/access-counts.ts';
import type { ContextStore } from '../../src/store/context-store.ts';
import { openStore } from '../../src/store/store.ts';
import { concept, factsOf, graphSubject } from '../graph/subject.ts';
import { type Teardown, temporaryFolder } from '../support/temporary.ts';

const PAGE_BYTES = 4096;

/** An index of one node, open for reading, whose file loses all but its first page. */
function damaged(t: Teardown) {
  const file = join(temporaryFolder(t), 'index.sqlite');
  graphSubject(t, file).put('hub.md', factsOf('hub.md', { mentions: [concept('Hub')] }));
  const store = openStore(file, { readOnly: true });
  t.teardown(() => store.close());
  const whole = new Sqlite(file);
  whole.pragma('wal_checkpoint(TRUNCATE)');
  whole.close();
  const before = readFileSync(file);
  writeFileSync(
    file,
    Buffer.concat([before.subarray(0, PAGE_BYTES), Buffer.alloc(before.length - PAGE_BYTES, 1)]),
  );
  return { store, mend: () => writeFileSync(file, before) };
}

t.test(
  'a damaged index fails who reads it, and nobody else; once it is mended it is read again',
  async (t) => {
    const { store, mend } = damaged(t);
    const graph = graphQueries(store);
    for (let time = 0; time < 2; time += 1) {
      store.holdStill();
      t.throws(() => graph.reference('Hub'), { code: /^SQLITE_CORRUPT/ });
      // What ends the moment in which the index stands still throws into nobody's face.
      await Promise.resolve();
      t.equal(store.moment(), undefined);
    }
    mend();
    store.holdStill();
    t.ok(graph.reference('Hub'));
  },
);

t.test('what went wrong is to be read beside a damaged index, with the way out', async (t) => {
  const { store } = damaged(t);
  const since = [{ time: '2026-11-21T00:00:00.000Z', code: 'EIO', path: '/graph/nodes/Hub', message: 'why' }];
  for (const lines of [errorLines(store, since), latestErrors(store, since)]) {
    t.match(lines, [
      { code: 'EIO', path: '/graph', message: /is damaged, or .* repairs damage with --repair/ },
      since[0],
    ]);
    t.equal(lines.length, 2);
  }
});

t.test('counts of opens that a damaged file does not take are worth no error', async (t) => {
  let asked = 0;
  const transact = () => {
    asked += 1;
    throw new Sqlite.SqliteError('database disk image is malformed', 'SQLITE_CORRUPT');
  };
  const counts = new AccessCounts({ transact } as Partial<ContextStore> as ContextStore);
  counts.count(1);
  counts.keep();
  t.same([asked, counts.pending(1)], [1, 1]);
});

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import t from 'tap';
import { updateIndex } from '../../src/ingest/indexer.ts';
import { IndexComparison } from '../../src/store/index-comparison.ts';
import { MIGRATIONS } from '../../src/store/migrations.ts';
import { openStore } from '../../src/store/store.ts';
import { oneFolder } from '../support/one-folder.ts';
import { temporaryFolder } from '../support/temporary.ts';

/** Of the release before outlines and schema maps. */
const RELEASED = { migrations: 2, extractor: 2 };

t.test('an index of the last release is read again, and is then as one that is new', async (t) => {
  const [docs, state] = [temporaryFolder(t), temporaryFolder(t)];
  writeFileSync(join(docs, 'a.md'), '# Alpha\n\n**Alpha** requires **Beta**, see [b](b.md#more).\n');
  writeFileSync(join(docs, 'b.md'), '# Beta\n\n## More\n\nIt is more.\n');
  const [oldFile, newFile] = [join(state, 'old.sqlite'), join(state, 'new.sqlite')];
  const old = new Sqlite(oldFile);
  for (const step of MIGRATIONS.slice(0, RELEASED.migrations)) old.exec(step);
  old.pragma(`user_version = ${RELEASED.migrations}`);
  for (const path of ['a.md', 'gone.md']) {
    old
      .prepare(
        'INSERT INTO documents (path, stamp, sha256, extractor_version, title, indexed_ms) VALUES (?, ?, ?, ?, ?, 1)',
      )
      .run(path, '1 1 1 1', 'none', RELEASED.extractor, path);
  }
  old.close();
  for (const file of [oldFile, newFile]) {
    const store = openStore(file);
    const how = { docs: oneFolder(docs), excluded: [], maxBytes: 1 << 20, clock: { nowMs: () => 1 } };
    const { documents } = await updateIndex({ ...how, store });
    t.equal(documents, 2);
    t.equal(store.outlines.of('b.md')?.outline.sections.length, 2);
    store.close();
  }
  const comparison = new IndexComparison(oldFile, newFile);
  t.same(comparison.differences(), []);
  comparison.close();
});

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { updateIndex } from '../../src/ingest/indexer.ts';
import { openStore } from '../../src/store/store.ts';
import { temporaryFolder } from '../support/temporary.ts';

t.test('only what fits a pattern that fitted nothing has all docs looked at again', async (t) => {
  const folder = temporaryFolder(t);
  mkdirSync(join(folder, 'guide'));
  const store = openStore(join(temporaryFolder(t), 'index.sqlite'));
  t.teardown(() => store.close());
  const docs = { folders: [{ name: '', folder }], include: ['/*.md', 'guide/*.md'], exclude: [] };
  const update = async (...paths: string[]) => {
    await updateIndex({ store, docs, paths, excluded: [], maxBytes: 1 << 20, clock: { nowMs: () => 0 } });
    const documents = store.documents.all().map(({ path }) => path);
    return { documents: documents.sort(), told: store.problems.ofScan().map(({ code }) => code) };
  };
  const write = (...names: string[]) => {
    for (const name of names) writeFileSync(join(folder, name), `# ${name}\n`);
  };
  write('a.md');
  t.same(await update(''), { documents: ['a.md'], told: ['include'] });
  write('b.md', 'untold.md');
  t.same(await update('b.md'), { documents: ['a.md', 'b.md'], told: ['include'] });
  write('guide/c.md');
  t.same(await update('guide/c.md'), { documents: ['a.md', 'b.md', 'guide/c.md', 'untold.md'], told: [] });
});

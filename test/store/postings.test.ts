import { join } from 'node:path';
import t from 'tap';
import { openSearchStore } from '../../src/store/search-store.ts';
import type { SourceKind } from '../../src/store/sources.ts';
import { temporaryFolder } from '../support/temporary.ts';

t.test('files are in the order of their paths, and nodes behind them in that of their keys', async (t) => {
  const store = openSearchStore(join(temporaryFolder(t), 'search.sqlite'));
  t.teardown(() => store.close());
  const { sources, postings } = store;
  t.same([...postings.sourceOrder().places], [0], 'of nothing');
  const idOf = (kind: SourceKind, path: string): number =>
    store.transact(() =>
      sources.add({
        ...{ kind, path, stamp: '', sha256: '', version: 1, title: path },
        ...{ type: '', tags: '', modifiedMs: 0, dateMs: 0 },
      }),
    );
  const nodes = [idOf('node', 'b'), idOf('node', 'a')];
  const files = [idOf('document', 'z.md'), idOf('text', 'd.txt'), idOf('document', 'c.md')];
  const { places, fileCount } = postings.sourceOrder();
  t.equal(fileCount, files.length);
  t.same(
    [...files, ...nodes].map((id) => places[id]),
    [2, 1, 0, 4, 3],
  );
});

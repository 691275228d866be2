import { join } from 'node:path';
import t from 'tap';
import { DocsCorpus } from '../../src/retrieval/docs-corpus.ts';
import { openSearchStore } from '../../src/store/search-store.ts';
import type { SourceKind } from '../../src/store/sources.ts';
import { openStore } from '../../src/store/store.ts';
import { temporaryFolder } from '../support/temporary.ts';

t.test('which sources are nodes is known without a look at them', async (t) => {
  const folder = temporaryFolder(t);
  const search = openSearchStore(join(folder, 'search.sqlite'));
  const index = openStore(join(folder, 'index.sqlite'));
  t.teardown(() => {
    search.close();
    index.close();
  });
  const add = (kind: SourceKind, path: string): number =>
    search.transact(() =>
      search.sources.add({
        ...{ kind, path, stamp: '', sha256: '', version: 1, title: path },
        ...{ type: '', tags: '', modifiedMs: 0, dateMs: 0 },
      }),
    );
  const node = add('node', 'concept:mug');
  const files = [add('document', 'a.md'), add('text', 'b.txt'), add('none', 'c.bin')];
  const looked = (path: string): never => {
    throw new Error(`${path} was looked at`);
  };
  const corpus = new DocsCorpus(search, index, { stat: looked, read: looked });
  t.equal(corpus.isNode(node), true);
  t.same(
    files.map((id) => corpus.isNode(id)),
    [false, false, false],
  );
});

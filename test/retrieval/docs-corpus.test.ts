import { join } from 'node:path';
import t from 'tap';
import { DocsCorpus } from '../../src/retrieval/docs-corpus.ts';
import { openSearchStore } from '../../src/store/search-store.ts';
import type { SourceKind } from '../../src/store/sources.ts';
import { openStore } from '../../src/store/store.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { searched } from './searched.ts';

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

t.test('what front matter says is found as a phrase, and shown', async (t) => {
  const page =
    '---\ntitle: Streams\ndescription: >-\n  Updates through a long-lived\n  connection.\nweight: 3\n---\n\n# Open\n\nText.\n';
  const { ask } = await searched(t, { 'streams.md': page });
  const { hits } = await ask('"long-lived connection"', { scope: '/docs' });
  t.match(hits, [{ path: '/docs/streams.md', line: 1, endLine: 7, snippet: /long-lived connection/ }]);
});

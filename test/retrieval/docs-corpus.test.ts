import { join } from 'node:path';
import t from 'tap';
import { fileInfo } from '../../src/core/node-info.ts';
import type { SubPath } from '../../src/core/paths.ts';
import type { Hit } from '../../src/core/resolver.ts';
import { DocsCorpus } from '../../src/retrieval/docs-corpus.ts';
import { openSearch } from '../../src/retrieval/engine.ts';
import { GraphView } from '../../src/retrieval/graph-view.ts';
import { parseQuery } from '../../src/retrieval/language/parse-query.ts';
import { DEFAULT_SEARCH_SETTINGS } from '../../src/settings/search.ts';
import { openSearchStore } from '../../src/store/search-store.ts';
import type { SourceKind } from '../../src/store/sources.ts';
import { openStore } from '../../src/store/store.ts';
import { type Teardown, temporaryFolder } from '../support/temporary.ts';
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

t.test(
  'a document of which several passages are shown is read once for an answer, and anew for the next',
  async (t) => {
    const { corpus, put, reads } = docsCorpus(t);
    put('a.md', '9 1 ');
    corpus.revision();
    const source = corpus.sourceAt('/docs/a.md');
    const textOf = (line: number) => source && corpus.text(source, { line, endLine: line });
    const both = () => corpus.still(() => t.same([textOf(1), textOf(2)], ['one', 'two']));
    both();
    t.equal(reads(), 1);
    both();
    t.equal(reads(), 2);
    textOf(1);
    t.equal(textOf(2), 'two');
    t.equal(reads(), 4, 'outside of an answer nothing is kept');
  },
);

t.test('a document that was read anew is fresh as of the next revision', async (t) => {
  const { corpus, put } = docsCorpus(t);
  put('a.md', '9 0 ');
  const state = () => corpus.state({ kind: 'document', path: '/docs/a.md' });
  corpus.revision();
  t.equal(state(), 'stale');
  put('a.md', '9 1 ');
  corpus.revision();
  t.equal(state(), 'fresh');
});

t.test('what another thread finds is shown as it is indexed by then', async (t) => {
  const { corpus, index, put } = docsCorpus(t);
  put('a.md', '9 0 ');
  const found: Hit = { path: 'a.md' as SubPath, line: 1, kind: 'document', score: 1, snippet: 'one' };
  const engine = openSearch({
    ...{ corpora: [corpus], graph: new GraphView(index), thesaurus: undefined },
    settings: DEFAULT_SEARCH_SETTINGS,
    literal: () => {
      t.equal(corpus.state({ kind: 'document', path: '/docs/a.md' }), 'stale');
      put('a.md', '9 1 ');
      return Promise.resolve({ hits: [found], unread: [] });
    },
  });
  const answer = await engine.search(parseQuery('zzqxarble'), { limit: 10 });
  t.match(answer.hits, [{ path: '/docs/a.md', stale: false }]);
});

/** A corpus of documents that all have two lines, nine bytes and one time. */
function docsCorpus(t: Teardown) {
  const folder = temporaryFolder(t);
  const written = openSearchStore(join(folder, 'search.sqlite'));
  const search = openSearchStore(join(folder, 'search.sqlite'));
  const index = openStore(join(folder, 'index.sqlite'));
  t.teardown(() => {
    search.close();
    written.close();
    index.close();
  });
  let count = 0;
  const corpus = new DocsCorpus(search, index, {
    stat: () => fileInfo(9, 1n, 'of the file'),
    read: () => {
      count += 1;
      return 'one\ntwo\n';
    },
  });
  const put = (path: string, stamp: string) =>
    written.transact(() => {
      const id = written.sources.put({
        ...{ kind: 'document', path, stamp, sha256: '', version: 1, title: path },
        ...{ type: '', tags: '', modifiedMs: 0, dateMs: 0 },
      });
      const terms = { titleTerms: '', headingTerms: '', bodyTerms: 'one two', bodyBag: 'one two' };
      const passage = { line: 1, endLine: 2, headings: '', bodyLength: 2, textHash: new Uint8Array(1) };
      written.passages.replace(id, [{ ...passage, ...terms }]);
    });
  return { corpus, index, put, reads: () => count };
}

t.test('what front matter says is found as a phrase, and shown', async (t) => {
  const page =
    '---\ntitle: Streams\ndescription: >-\n  Updates through a long-lived\n  connection.\nweight: 3\n---\n\n# Open\n\nText.\n';
  const { ask } = await searched(t, { 'streams.md': page });
  const { hits } = await ask('"long-lived connection"', { scope: '/docs' });
  t.match(hits, [{ path: '/docs/streams.md', line: 1, endLine: 7, snippet: /long-lived connection/ }]);
});

import t from 'tap';
import type { SearchOptions } from '../../src/core/search.ts';
import type { ListedSource } from '../../src/retrieval/corpus.ts';
import { allowedIn, Filter, type GraphFilters } from '../../src/retrieval/filter.ts';
import { hitOf } from '../../src/retrieval/hits.ts';
import { parseQuery } from '../../src/retrieval/language/parse-query.ts';
import { isListing, listed } from '../../src/retrieval/listing.ts';
import { Verifier } from '../../src/retrieval/verifier.ts';
import { type FakeSource, fakeCorpus } from './fake-corpus.ts';

const GRAPH: GraphFilters = {
  around: (name) => (name === 'None' ? undefined : new Set(['/docs/a.md'])),
  speakingOf: (type) => new Set(type === 'endpoint' || type === 'memory' ? ['/docs/a.md'] : []),
};

function filterOf(question: string, options: Partial<SearchOptions> = {}): Filter {
  return new Filter(parseQuery(question), { limit: 10, ...options }, GRAPH);
}

const docs = fakeCorpus('docs', [
  { kind: 'document', path: '/docs/a.md', tags: ['billing', 'old'] },
  { kind: 'document', path: '/docs/b.md', tags: ['billing'], type: 'guide' },
  { kind: 'node', path: '/graph/nodes/Card', type: 'endpoint' },
]);
const memory = fakeCorpus('memory', [
  { kind: 'memory', path: '/context/memory/fact/a', type: 'fact' },
  { kind: 'memory', path: '/context/memory/fact/b', type: 'fact', isSuperseded: true },
]);
const plain = fakeCorpus('memory', [{ kind: 'memory', path: '/context/memory/fact/a', type: 'fact' }]);
const history = fakeCorpus('history', [{ kind: 'history', path: '/context/history/2026-11-21_s.jsonl' }]);

t.test('history is reached where it is asked for, and nothing is out of its scope', async (t) => {
  const reached = (question: string, scope = '/') => {
    const filter = filterOf(question, { scope });
    return (['document', 'node', 'memory', 'history'] as const).filter((kind) => filter.reaches(kind));
  };
  t.same(reached('refund'), ['document', 'node', 'memory']);
  t.same(reached('refund type:history'), ['document', 'node', 'memory', 'history']);
  t.same(reached('refund in:/context/history'), ['history']);
  t.same(reached('refund', '/context/history'), ['history']);
  t.same(reached('refund', '/context'), ['memory']);
  t.same(reached('refund type:history', '/docs'), ['document']);
});

t.test('a store of which all passes is not looked through', async (t) => {
  const open = (question: string, options: Partial<SearchOptions> = {}) => {
    const filter = filterOf(question, options);
    return [docs, memory, plain].flatMap(({ corpus }, index) =>
      allowedIn(corpus, filter) === undefined ? [['docs', 'memory', 'plain'][index]] : [],
    );
  };
  t.same(open('refund'), ['docs', 'plain'], 'what is superseded is left out');
  t.same(open('refund', { superseded: true }), ['docs', 'memory', 'plain']);
  t.same(open('refund', { scope: ['/docs', '/modules'] }), [], 'nodes are elsewhere');
  t.same(open('refund', { scope: '/graph' }), [], 'and documents');
  t.same(open('refund', { scope: '/context/memory' }), ['plain']);
  for (const one of ['type:fact', 'tag:billing', 'related:Card', 'after:2026', 'before:2026'])
    t.same(open(`refund ${one}`), [], one);
  t.same(open('refund', { pathPattern: /./ }), []);
});

t.test('each filter lets through what it says', async (t) => {
  const found = (question: string, options: Partial<SearchOptions> = {}) => {
    const filter = filterOf(question, options);
    return [docs, memory, history].flatMap(({ corpus }) => {
      const allowed = allowedIn(corpus, filter);
      return [...corpus.sources()].flatMap(({ id, path }) =>
        allowed === undefined || allowed[id] === 1 ? [path.split('/').at(-1)] : [],
      );
    });
  };
  const all = ['a.md', 'b.md', 'Card', 'a', '2026-11-21_s.jsonl'];
  t.same(found('refund'), all);
  t.same(found('refund', { superseded: true }), all.toSpliced(4, 0, 'b'));
  t.same(found('tag:billing refund', { superseded: true }), ['a.md', 'b.md']);
  t.same(found('tag:billing tag:old refund'), ['a.md']);
  t.same(found('type:document refund'), ['a.md', 'b.md']);
  t.same(found('type:fact refund', { superseded: true }), ['a', 'b']);
  t.same(found('type:guide type:memory refund'), ['b.md', 'a']);
  t.same(found('type:endpoint refund'), ['Card']);
  t.same(found('type:endpoint refund', { scope: '/docs' }), ['a.md'], 'pages that speak of one');
  t.same(found('type:memory refund', { scope: '/docs' }), [], 'a kind of hit is no type of nodes');
  t.same(found('related:Card refund'), ['a.md']);
  t.same(found('related:None refund'), [], 'nothing is near a node that is not there');
  t.same(found('refund', { pathPattern: /card/ }), []);
  t.same(found('refund', { pathPattern: /card/i }), ['Card']);
  t.same(found('after:1970-01-01 before:1970-01-02 refund'), all, 'of this moment and later');
  t.same(found('before:1970-01-01 refund'), [], 'of before this moment');
});

t.test('where no type is asked for, nobody asks for the path of a node, which takes a look', async (t) => {
  const source: ListedSource = {
    ...{ id: 1, title: '', type: '', shownType: '', tags: [], dateMs: 0 },
    kind: 'node',
    get path(): string {
      throw new Error('it is looked for');
    },
  };
  t.ok(filterOf('after:1970-01-01 refund').passes(source));
  t.notOk(filterOf('type:endpoint refund').passes(source));
});

t.test('filters that let through other things have other keys', async (t) => {
  const options: Partial<SearchOptions>[] = [
    {},
    { superseded: true },
    { scope: '/docs' },
    { pathPattern: /card/ },
    { pathPattern: /cards/ },
    { pathPattern: /card/i },
  ];
  const filters = ['', 'type:fact', 'tag:a', 'in:/docs', 'after:2026', 'before:2026', 'related:Card~1'];
  const keys = [
    ...options.map((one) => filterOf('refund', one).key),
    ...filters.map((one) => filterOf(`invoice ${one}`).key),
  ];
  t.equal(new Set(keys).size, keys.length - 1, 'only that of no filter is there twice');
});

t.test('filters without words are a list: the newest first, of one moment by path', async (t) => {
  for (const one of ['type:fact', 'tag:a', 'in:/docs', 'after:2026', 'before:2026', 'related:Card']) {
    t.ok(isListing(parseQuery(one)), one);
    t.notOk(isListing(parseQuery(`${one} refund`)), one);
  }
  t.notOk(isListing(parseQuery('')));
  const page = (name: string, dateMs: number, more: Partial<FakeSource> = {}): FakeSource => ({
    ...{ kind: 'document', path: `/docs/${name}.md`, dateMs },
    ...more,
  });
  const one = fakeCorpus('docs', [
    page('c', 1),
    page('b', 1),
    page('new', 2),
    page('empty', 3, { passage: undefined }),
    page('other', 4, { kind: 'node' }),
  ]);
  const other = fakeCorpus('memory', [page('a', 1, { kind: 'memory' })]);
  const names = (corpora: (typeof one)[], limit: number) =>
    listed(
      corpora.map(({ corpus }) => corpus),
      filterOf('type:document type:memory'),
      limit,
    ).map(({ corpus, passage }) => corpus.source(passage.sourceId)?.title);
  t.same(names([one, other], 10), ['/docs/new.md', '/docs/a.md', '/docs/b.md', '/docs/c.md']);
  const many = fakeCorpus(
    'docs',
    Array.from({ length: 300 }, (_, index) => page(`page-${index}`, index)),
  );
  t.equal(names([many], 20).length, 120, 'some may turn out to say what they must not');
});

function shown(source: FakeSource, question = 'refund', weights?: ReadonlyMap<string, number>) {
  const { corpus, passages, textsRead } = fakeCorpus('docs', [source]);
  const [passage] = passages;
  if (passage === undefined) throw new Error('it has a passage');
  const verifier = new Verifier(parseQuery(question), { limit: 10 });
  const found = { corpus, passage, score: 1, ranks: { keyword: 2 }, hops: [] };
  return { hit: hitOf(found, verifier, weights && { weights }), textsRead, found, verifier };
}

const PAGE: FakeSource = {
  kind: 'document',
  path: '/docs/a.md',
  text: 'A page.\n\nA refund takes five days.\n',
};
const WEIGHTS = new Map([['refund', 1]]);

t.test('a hit says what its source is now, and where', async (t) => {
  const passage = { line: 7, endLine: 9, headings: 'Refunds › Limits' };
  t.match(shown({ ...PAGE, passage }, 'refund', WEIGHTS).hit, {
    ...{ path: '/docs/a.md', line: 7, endLine: 9, headings: ['Refunds', 'Limits'], stale: false },
    ...{ snippet: /A refund takes five days/, snippetLine: 9, retrievers: { keyword: 2 } },
  });
  const whole = shown({ ...PAGE, passage: { line: 0 }, shownType: 'guide', state: 'stale' }, '', WEIGHTS).hit;
  t.same(whole?.headings, []);
  t.equal(whole?.stale, true);
  t.equal(whole?.snippetLine, undefined, 'it is no place in a text');
  t.notOk(whole !== undefined && ('type' in whole || 'strength' in whole), 'the type of a page is its own');
  const node: FakeSource = { ...PAGE, kind: 'node', path: '/graph/nodes/A' };
  t.equal(shown({ ...node, shownType: 'APIObject' }).hit?.type, 'APIObject');
  t.notOk('type' in (shown(node).hit ?? {}));
});

t.test('what waits for a person is said of memory alone', async (t) => {
  const waits = (source: Partial<FakeSource>) => shown({ ...PAGE, ...source }).hit?.waits;
  t.equal(waits({ kind: 'memory', tags: ['needs_review'] }), true);
  t.equal(waits({ kind: 'memory', tags: ['billing'] }), undefined);
  t.equal(waits({ tags: ['needs_review'] }), undefined);
});

t.test('what is gone, or does not say what it must, is no hit', async (t) => {
  t.equal(shown({ ...PAGE, state: 'gone' }).hit, undefined);
  t.equal(shown({ ...PAGE, text: undefined }, 'refund', WEIGHTS).hit, undefined);
  t.equal(shown(PAGE, '"five days"', WEIGHTS).hit?.line, 1);
  t.equal(shown(PAGE, '"six days"', WEIGHTS).hit, undefined);
  t.equal(shown(PAGE, '"five days"').hit?.line, 1);
  t.equal(shown(PAGE, '"six days"').hit, undefined, 'though nobody wants its text');
  const { found, verifier } = shown(PAGE);
  const other = { ...found.passage, sourceId: 7 };
  t.equal(hitOf({ ...found, passage: other }, verifier, undefined), undefined);
});

t.test('a text that nobody asks for is not read', async (t) => {
  t.same(shown(PAGE).textsRead, []);
  t.same(shown(PAGE, 'refund', WEIGHTS).textsRead, ['/docs/a.md']);
});

import t from 'tap';
import { parsePath } from '../../src/core/paths.ts';
import type { SearchHit } from '../../src/core/search.ts';
import { answerText } from '../../src/retrieval/answer-text.ts';
import { answerView } from '../../src/retrieval/answer-view.ts';
import { fakeHit } from '../search-tree/fake-engine.ts';

const HIT: SearchHit = {
  ...fakeHit('/graph/nodes/Charge', 0.031_25, 'moves\nmoney \u001b[31m'),
  line: 0,
  endLine: 0,
  type: 'APIObject',
  title: 'Charge',
  headings: [],
  retrievers: { graph: 2, keyword: 11 },
  hops: [
    { from: 'Refund', edgeType: 'belongs_to', to: 'Charge', evidence: 'charges/refund.md:46' },
    { from: 'Charge', edgeType: 'triggers', to: 'charge.refunded' },
  ],
  stale: true,
};

t.test(
  'a block has rank, place, kind, score, retrievers, date, headings, the way and a snippet',
  async (t) => {
    t.equal(
      answerText([HIT]),
      [
        '1  graph/nodes/Charge  node (APIObject) 0.0313  keyword #11, graph #2  2026-01-05 stale',
        '   Charge',
        '   via Refund belongs_to Charge (charges/refund.md:46), via Charge triggers charge.refunded',
        '   moves money \\x1b[31m',
        '',
      ].join('\n'),
    );
  },
);

t.test('a place whose name has control characters is one that can be opened', async (t) => {
  const hit = { ...HIT, path: parsePath('/docs/new\nline  two.md'), line: 3, hops: [] };
  t.match(answerText([hit]), /^1 {2}\$'docs\/new\\nline {2}two\.md':3 {2}/);
});

t.test('the place is that of the snippet', async (t) => {
  t.match(answerText([{ ...HIT, line: 3, snippetLine: 7 }]), /^1 {2}graph\/nodes\/Charge:7 {2}/);
});

t.test('headings that a snippet begins with are written once', async (t) => {
  const hit: SearchHit = { ...HIT, hops: [], headings: ['Charge', 'Part'], snippet: 'Charge › Part: moves' };
  t.match(answerText([hit]), /\n {3}Charge › Part\n {3}moves\n$/);
  const ofFrontMatter = { ...hit, headings: ['Part', 'Field'], snippet: 'Part › Field: moves' };
  t.match(answerText([ofFrontMatter]), /\n {3}Charge › Part › Field\n {3}moves\n$/);
  t.match(
    answerText([{ ...ofFrontMatter, snippet: 'Field: moves' }]),
    /\n {3}Charge › Part › Field\n {3}moves\n$/,
  );
  const ofName = { ...hit, title: 'charge' };
  t.match(answerText([ofName]), /\n {3}Charge › Part\n {3}moves\n$/);
});

t.test('what is not known is left out', async (t) => {
  const bare: SearchHit = { ...HIT, hops: [], title: '', snippet: ' ', retrievers: {}, dateMs: Number.NaN };
  t.equal(answerText([bare]), '1  graph/nodes/Charge  node (APIObject) 0.0313  no date stale\n');
  t.equal(answerText([]), '');
});

t.test('JSON names everything, in the names of the command line', async (t) => {
  t.same(answerView('q', { hits: [HIT] }).hits, [
    {
      path: '/graph/nodes/Charge',
      line: 0,
      end_line: 0,
      kind: 'node',
      type: 'APIObject',
      title: 'Charge',
      headings: [],
      score: 0.0313,
      retrievers: { graph: 2, keyword: 11 },
      date: '2026-01-05T00:00:00.000Z',
      stale: true,
      hops: [
        { from: 'Refund', edge_type: 'belongs_to', to: 'Charge', evidence: 'charges/refund.md:46' },
        { from: 'Charge', edge_type: 'triggers', to: 'charge.refunded' },
      ],
      snippet: 'moves\nmoney \u001b[31m',
      snippet_line: 0,
    },
  ]);
  t.match(answerView('q', { hits: [{ ...HIT, line: 3, snippetLine: 7 }] }).hits, [
    { line: 3, snippet_line: 7 },
  ]);
});

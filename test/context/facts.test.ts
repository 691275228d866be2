import t from 'tap';
import { FactGraph } from '../../src/context/fact-graph.ts';
import { factsOf } from '../../src/context/facts.ts';
import { questionTerms } from '../../src/context/sentences.ts';
import { BILLING, type FakeEdge, fakeGraph, SEED_QUESTION } from './fixture.ts';

function factsAbout(edges: readonly FakeEdge[], question: string, named: readonly string[]) {
  return factsOf(new FactGraph(fakeGraph(edges)), named, questionTerms(question));
}

t.test('the way on which most evidence stands is shown, led on to what its end brings about', (t) => {
  const { paths } = factsAbout(BILLING, SEED_QUESTION, ['Subscription', 'Charge', 'Webhook']);
  t.same(paths[0]?.nodes, ['Subscription', 'Invoice', 'Charge', 'charge.succeeded']);
  t.same(paths[1]?.nodes, ['Subscription', 'Invoice', 'Charge', 'charge.failed']);
  t.same(
    paths[0]?.steps.map(({ edgeType, evidence }) => [edgeType, evidence]),
    [
      ['generates', ['subscriptions.md:3']],
      ['generates', ['invoices.md:5']],
      ['triggers', ['charges.md:4']],
    ],
  );
  t.end();
});

t.test('ways that only speak of each other come last', (t) => {
  const { paths } = factsAbout(BILLING, SEED_QUESTION, ['Webhook', 'Subscription', 'Charge']);
  const vague = paths.map(({ steps }) => steps.some(({ edgeType }) => edgeType === 'references'));
  t.ok(vague.includes(true));
  t.same(vague, [...vague].sort());
  t.end();
});

t.test('relations of what is named are facts, those first that the question speaks of, none twice', (t) => {
  const { facts, paths } = factsAbout(BILLING, 'What does a charge require?', ['Charge', 'Charge']);
  t.same(facts[0], { from: 'Charge', edgeType: 'requires', to: 'Customer', evidence: ['charges.md:2'] });
  t.same(facts.map(({ to }) => to).sort(), [
    'Charge',
    'Charge',
    'Customer',
    'charge.failed',
    'charge.succeeded',
  ]);
  t.same(paths, []);
  t.end();
});

t.test(
  'documents and names that are none give no facts, but what the title of a document names does',
  (t) => {
    t.same(factsAbout(BILLING, 'charges', ['Charges.md', 'Nothing']), { paths: [], facts: [] });
    t.same(
      factsAbout(BILLING, 'charges', ['Create a Charge (charges%2Fcreate.md)']),
      factsAbout(BILLING, 'charges', ['Charge']),
    );
    t.end();
  },
);

t.test('a chain goes before what two have in common, whatever stands behind that', (t) => {
  const { paths } = factsAbout(
    [
      ['Subscription', 'belongs_to', 'Customer', 5],
      ['Charge', 'requires', 'Customer', 5],
      ['Subscription', 'generates', 'Invoice', 1],
      ['Invoice', 'generates', 'Charge', 1],
    ],
    'subscription and charge',
    ['Charge', 'Subscription'],
  );
  t.same(
    paths.map(({ nodes }) => nodes),
    [['Subscription', 'Invoice', 'Charge']],
  );
  t.end();
});

t.test('a way may be walked against its edges where no other leads there', (t) => {
  const { paths } = factsAbout(
    [
      ['Card', 'belongs_to', 'Customer', 2],
      ['Order', 'requires', 'Card', 2],
    ],
    'customer and order',
    ['Customer', 'Order'],
  );
  t.same(paths[0]?.nodes, ['Order', 'Card', 'Customer']);
  t.end();
});

t.test('what is remembered of the graph is that of its present revision', async (t) => {
  let [source, revision] = [fakeGraph([['Charge', 'requires', 'Customer', 1]]), 1];
  const graph = new FactGraph({
    node: (name) => source.node(name),
    nodeById: (id) => source.nodeById(id),
    outgoing: (node) => source.outgoing(node),
    incoming: (node) => source.incoming(node),
    revision: () => revision,
  });
  const leadsTo = () => factsOf(graph, ['Charge'], questionTerms('charge')).facts.map(({ to }) => to);
  t.same(leadsTo(), ['Customer']);
  [source, revision] = [fakeGraph([['Charge', 'requires', 'Card', 1]]), 2];
  t.same(leadsTo(), ['Card']);
});

import { join } from 'node:path';
import t from 'tap';
import { endpointKey } from '../../src/core/identity.ts';
import { graphQueries } from '../../src/graph/queries.ts';
import { graphQuestions } from '../../src/graph/questions.ts';
import { openStore } from '../../src/store/store.ts';
import { type Teardown, temporaryFolder } from '../support/temporary.ts';
import { concept, factsOf, graphSubject } from './subject.ts';

const READ = endpointKey('GET', '/v1/charges/{id}');

function subject(t: Teardown) {
  const { put, graph } = graphSubject(t);
  put(
    'billing/charges.md',
    factsOf('billing/charges.md', {
      title: 'All about charges',
      mentions: [
        concept('Charge', 1, { description: 'Moves money.' }),
        concept('PaymentMethod', 2),
        concept('Customer', 3),
        concept('Idempotency', 4, { type: 'Concept' }),
        {
          key: READ,
          type: 'Endpoint',
          label: 'GET /v1/charges/{id}',
          line: 5,
          confidence: 0.9,
          declares: true,
        },
      ],
      relations: [
        { from: 'Charge', type: 'requires', to: 'PaymentMethod' },
        { from: 'PaymentMethod', type: 'belongs_to', to: 'Customer' },
        { from: READ, type: 'returns', to: 'Charge' },
      ],
    }),
  );
  return graph;
}

t.test('a node is found by its name in any of its forms', async (t) => {
  const graph = subject(t);
  const keyOf = (name: string) => graph.node(name)?.key;
  for (const name of ['PaymentMethod', 'payment_method', 'Payment methods', 'payment-method']) {
    t.equal(keyOf(name), 'concept:paymentmethod', name);
  }
  for (const name of ['GET /v1/charges/{id}', 'get /v1/charges/:charge', 'GET %2Fv1%2Fcharges%2F{id}']) {
    t.equal(keyOf(name), READ, name);
  }
  t.equal(keyOf('billing/charges.md'), 'document:billing/charges.md');
  t.equal(keyOf('all about CHARGES'), 'document:billing/charges.md');
  for (const place of ['docs/billing/charges.md', '/docs/billing/charges.md:3', 'billing/charges.md:3-14'])
    t.equal(keyOf(place), 'document:billing/charges.md', place);
  t.equal(keyOf('docs/billing'), undefined);
  t.equal(keyOf('Nothing'), undefined);
  t.equal(keyOf('__proto__'), undefined);
});

t.test('what a name was found to mean holds as long as the graph is the same, and no longer', async (t) => {
  const file = join(temporaryFolder(t), 'index.sqlite');
  const { put } = graphSubject(t, file);
  const store = openStore(file, { readOnly: true });
  t.teardown(() => store.close());
  const graph = graphQueries(store);
  const facts = (description: string) =>
    factsOf('a.md', { mentions: [concept('Charge', 1, { description }), concept('Refund', 2)] });
  const held = async (look: () => void): Promise<void> => {
    graph.holdStill();
    look();
    // The store is held still until this turn ends.
    await Promise.resolve();
    t.equal(store.moment(), undefined);
  };
  const shown = (name: string) => {
    const node = graph.reference(name);
    return node && graph.shownNode(node.id)?.description;
  };
  await held(() => t.same([shown('Charge'), shown('Payout')], [undefined, undefined]));
  put('a.md', facts('Moves money.'));
  await held(() => {
    t.same([shown('Charge'), shown('Payout'), shown('Charge')], ['Moves money.', undefined, 'Moves money.']);
    put('b.md', factsOf('b.md', { mentions: [concept('Payout')] }));
    t.equal(shown('Payout'), undefined, 'one graph while it is held still');
  });
  await held(() => t.equal(graph.reference('Payout')?.name, 'Payout'));
  put('a.md', facts('Takes money.'));
  t.equal(shown('Charge'), 'Takes money.', 'where it is not held still');
  await held(() => t.same([shown('Charge'), shown('charge')], ['Takes money.', 'Takes money.']));
});

t.test('a mistyped name offers what is like it', async (t) => {
  const graph = subject(t);
  const best = (text: string) => graph.similar(text, 1)[0]?.name;
  t.equal(best('Chrage'), 'Charge');
  t.equal(best('paymnt method'), 'PaymentMethod');
  t.equal(best('idem'), 'Idempotency');
  t.equal(best('about charges'), 'All about charges');
  t.same(graph.similar('zzzzzz', 3), []);
  t.same(graph.similar('', 3), []);
});

t.test('neighbours by direction and type', async (t) => {
  const graph = subject(t);
  const charge = graph.node('Charge');
  if (!charge) throw new Error('no Charge');
  const others = (options: Parameters<typeof graph.neighbours>[1]) =>
    graph
      .neighbours(charge, options)
      .map(({ type, source, target }) => `${type} ${source === charge.key ? target : source}`);
  t.same(others({}), ['requires concept:paymentmethod', `returns ${READ}`]);
  t.same(others({ direction: 'in' }), [`returns ${READ}`]);
  t.same(others({ edgeTypes: ['requires'] }), ['requires concept:paymentmethod']);
});

t.test('nodes by type and by degree, and a subgraph to a depth', async (t) => {
  const graph = subject(t);
  t.same(
    graph.nodes({ type: 'Concept' }).map(({ label }) => label),
    ['Idempotency'],
  );
  t.same(
    graph.nodes({ minDegree: 2 }).map(({ label }) => label),
    ['Charge', 'PaymentMethod'],
  );
  const charge = graph.node('Charge');
  if (!charge) throw new Error('no Charge');
  const around = (depth: number, limit = 100) => graph.subgraph(charge, depth, limit);
  t.same(
    around(1)
      .nodes.map(({ label }) => label)
      .sort(),
    ['Charge', 'GET /v1/charges/{id}', 'PaymentMethod'],
  );
  t.equal(around(2).edges.length, 3);
  t.match(around(2, 2), { truncated: true, nodes: [{ label: 'Charge' }, {}] });
  t.same(around(0).nodes.length, 1);
});

t.test("Kgraph's questions answer by name", async (t) => {
  const questions = graphQuestions(subject(t));
  t.match(questions.related_concepts('charge'), [
    { node: 'PaymentMethod', edge_type: 'requires', direction: 'out' },
    {},
  ]);
  t.match(questions.find_connection('GET /v1/charges/{id}', 'customer'), { path_length: 3 });
  t.equal(questions.find_connection('Charge', 'Idempotency'), undefined);
  t.match(questions.explain_node('charge'), /# Charge\n\nAPIObject.*\n\nMoves money\./);
  t.same(questions.concepts_by_type('endpoint'), ['GET /v1/charges/{id}']);
  t.match(questions.search_graph('custmer'), [{ name: 'Customer' }]);
  t.match(questions.subgraph_context('Charge', 1), { center: 'Charge', depth: 1, truncated: false });
  t.throws(() => questions.explain_node('Chargee'), { message: /no node "Chargee"; did you mean "Charge"/ });
  t.throws(() => questions.concepts_by_type('animal'), {
    message: /no node type "animal"; the types are APIObject, /,
  });
});

t.test('stats count nodes, edges and their density', async (t) => {
  const stats = subject(t).stats();
  t.match(stats, {
    totalNodes: 6,
    totalEdges: 3,
    density: 0.1,
    nodesByType: { Event: 0 },
    edgesByType: { requires: 1 },
  });
});

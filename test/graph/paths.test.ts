import fc from 'fast-check';
import t from 'tap';
import { EDGE_TYPES } from '../../src/core/graph-model.ts';
import { documentKey, eventKey } from '../../src/core/identity.ts';
import type { GraphQueries } from '../../src/graph/queries.ts';
import { pathView } from '../../src/graph/view.ts';
import type { Teardown } from '../support/temporary.ts';
import { concept, factsOf, graphSubject, type Relation } from './subject.ts';

const SUCCEEDED = eventKey('charge.succeeded');

function graphOf(t: Teardown, relations: Relation[], labels: string[]): GraphQueries {
  const { put, graph } = graphSubject(t);
  const event = {
    key: SUCCEEDED,
    type: 'Event' as const,
    label: 'charge.succeeded',
    line: 1,
    confidence: 1,
    declares: true,
  };
  put(
    'page.md',
    factsOf('page.md', { mentions: [...labels.map((label) => concept(label)), event], relations }),
  );
  return graph;
}

function pathBetween(graph: GraphQueries, from: string, to: string): string | undefined {
  const [source, target] = [graph.node(from), graph.node(to)];
  if (!source || !target) throw new Error(`no node ${from} or ${to}`);
  const path = graph.path(source, target);
  return (
    path &&
    pathView(graph, path)
      .path.map(({ node, edge_to_next, direction }) => {
        return edge_to_next === null
          ? node
          : `${node} ${direction === 'out' ? `-${edge_to_next}->` : `<-${edge_to_next}-`} `;
      })
      .join('')
  );
}

t.test('a path leads through meaning, not through a page that mentions both', async (t) => {
  const page = documentKey('page.md');
  const graph = graphOf(
    t,
    [
      { from: page, type: 'contains', to: 'Subscription' },
      { from: page, type: 'contains', to: 'Charge' },
      { from: 'Subscription', type: 'generates', to: 'Invoice' },
      { from: 'Invoice', type: 'references', to: 'Plan' },
      { from: 'Plan', type: 'references', to: 'Charge' },
    ],
    ['Subscription', 'Charge', 'Invoice', 'Plan'],
  );
  t.equal(
    pathBetween(graph, 'Subscription', 'Charge'),
    'Subscription -generates-> Invoice -references-> Plan -references-> Charge',
    'though the way through the page is shorter',
  );
});

t.test('a page is the link where there is no other', async (t) => {
  const page = documentKey('page.md');
  const graph = graphOf(
    t,
    [
      { from: page, type: 'contains', to: 'A1' },
      { from: page, type: 'contains', to: 'B1' },
    ],
    ['A1', 'B1', 'C1'],
  );
  t.equal(pathBetween(graph, 'A1', 'B1'), 'A1 <-contains- page.md -contains-> B1');
  t.equal(pathBetween(graph, 'A1', 'C1'), undefined, 'and nothing is the link where there is none');
  t.equal(pathBetween(graph, 'A1', 'A1'), 'A1');
});

t.test('of equally short paths the one of causes is told', async (t) => {
  const relations: Relation[] = [
    { from: 'Subscription', type: 'belongs_to', to: 'Customer' },
    { from: 'Charge', type: 'requires', to: 'Customer' },
    { from: 'Subscription', type: 'generates', to: 'Invoice' },
    { from: 'Invoice', type: 'triggers', to: 'Charge' },
    { from: 'Charge', type: 'triggers', to: SUCCEEDED },
  ];
  const labels = ['Subscription', 'Customer', 'Invoice', 'Charge'];
  const wanted = 'Subscription -generates-> Invoice -triggers-> Charge -triggers-> charge.succeeded';
  for (const order of [labels, labels.toReversed()]) {
    t.equal(pathBetween(graphOf(t, relations, order), 'Subscription', 'charge.succeeded'), wanted);
    t.equal(
      pathBetween(graphOf(t, relations.toReversed(), order), 'Subscription', 'charge.succeeded'),
      wanted,
    );
  }
});

t.test('a path has as few steps as any there is, and there is one where there is any', async (t) => {
  const labels = ['A1', 'B1', 'C1', 'D1', 'E1', 'F1'];
  const label = fc.constantFrom(...labels);
  const relation = fc.record({ from: label, type: fc.constantFrom(...EDGE_TYPES), to: label });
  fc.assert(
    fc.property(fc.array(relation, { maxLength: 14 }), label, label, (relations, from, to) => {
      const graph = graphOf(t, relations, labels);
      const [source, target] = [graph.node(from), graph.node(to)];
      if (!source || !target) return false;
      return graph.path(source, target)?.length === stepsBetween(graph, source.id, target.id);
    }),
    { numRuns: 100 },
  );
});

/** Counts both ends; undefined where they are not connected. */
function stepsBetween(graph: GraphQueries, fromId: number, toId: number): number | undefined {
  const edges = [...graph.edges()];
  let reached = new Set([fromId]);
  for (let steps = 1; ; steps += 1) {
    if (reached.has(toId)) return steps;
    const next = new Set(reached);
    for (const { sourceId, targetId } of edges) {
      if (reached.has(sourceId)) next.add(targetId);
      if (reached.has(targetId)) next.add(sourceId);
    }
    if (next.size === reached.size) return undefined;
    reached = next;
  }
}

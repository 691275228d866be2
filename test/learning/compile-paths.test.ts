import t from 'tap';
import type { EdgeType } from '../../src/core/graph-model.ts';
import { walkedPaths } from '../../src/learning/compile-paths.ts';
import type { Walk } from '../../src/learning/walks.ts';
import { concept, factsOf, graphSubject } from '../graph/subject.ts';
import type { Teardown } from '../support/temporary.ts';

const FORWARD: readonly (readonly [string, EdgeType, string])[] = [
  ['Subscription', 'generates', 'Invoice'],
  ['Invoice', 'generates', 'Charge'],
  ['Charge', 'triggers', 'Event'],
];
/** Without them each step would be the only one there is. */
const OTHERS = ['Plan', 'Coupon', 'Tax', 'Customer', 'Refund', 'Dispute'];

function billing(t: Teardown) {
  const subject = graphSubject(t);
  const hubs = ['Subscription', 'Invoice', 'Charge', 'Event'];
  const aside = hubs.flatMap((hub) =>
    OTHERS.map((other) => ({ from: hub, type: 'references' as const, to: other, line: 2 })),
  );
  const relations = FORWARD.map(([from, type, to]) => ({ from, type, to, line: 1 }));
  const mentions = [...hubs, ...OTHERS].map((label) => concept(label, 1, { declares: true }));
  subject.put('billing.md', factsOf('billing.md', { mentions, relations: [...relations, ...aside] }));
  return subject;
}

function walked(nodes: readonly string[], occasions: number, kind: Walk['kind'] = 'visited'): Walk[] {
  return Array.from({ length: occasions }, (_, index) => ({ occasion: `${kind} ${index}`, kind, nodes }));
}

const shown = (paths: ReturnType<typeof walkedPaths>) =>
  paths.map(({ nodes, occasions }) => `${occasions}: ${nodes.map(({ display }) => display).join(' ')}`);

t.test('a way that was walked on three occasions is found, its parts are not told again', async (t) => {
  const { graph } = billing(t);
  const way = ['Subscription', 'Invoice', 'Charge', 'Event'];
  t.same(shown(walkedPaths(walked(way, 2), graph)), [], 'two are too few');
  t.same(shown(walkedPaths(walked(way, 3), graph)), ['3: Subscription Invoice Charge Event']);
  t.same(
    shown(walkedPaths([...walked(way, 3), ...walked(way.slice(1), 5)], graph)),
    ['5: Invoice Charge Event', '3: Subscription Invoice Charge Event'],
    'a part that was walked more often by itself is',
  );
});

t.test('what is walked again and again on one occasion counts once', async (t) => {
  const { graph } = billing(t);
  const way = ['Subscription', 'Invoice', 'Charge'];
  const walks: Walk[] = Array.from({ length: 5 }, () => ({ occasion: 'one', kind: 'visited', nodes: way }));
  t.same(walkedPaths(walks, graph), []);
});

t.test('a way that is walked back is turned round, and each step has its edge', async (t) => {
  const { graph } = billing(t);
  const [path] = walkedPaths(walked(['Charge', 'Invoice', 'Subscription'], 3), graph);
  t.same(path && shown([path]), ['3: Subscription Invoice Charge']);
  t.match(path?.steps, [
    { type: 'generates', evidence: ['billing.md:1'] },
    { type: 'generates', evidence: ['billing.md:1'] },
  ]);
});

t.test('a way is found by its ends, where somebody asked for it', async (t) => {
  const { graph } = billing(t);
  const asked = walked(['Subscription', 'Charge'], 3, 'asked');
  t.same(shown(walkedPaths(asked, graph)), ['3: Subscription Invoice Charge']);
  t.same(shown(walkedPaths(walked(['Charge', 'Subscription'], 3, 'asked'), graph)), [
    '3: Subscription Invoice Charge',
  ]);
});

t.test('jumps, unknown names, documents and turns on the way are no way', async (t) => {
  const { graph } = billing(t);
  for (const nodes of [
    ['Subscription', 'Charge', 'Event'],
    ['Subscription', 'Nobody', 'Invoice', 'Charge'],
    ['Subscription', 'billing.md', 'Charge'],
    ['Charge', 'Tax', 'Invoice'],
    ['Subscription', 'Invoice'],
  ])
    t.same(walkedPaths(walked(nodes, 9), graph), [], nodes.join(' '));
  t.same(walkedPaths(walked(['Plan', 'Coupon'], 9, 'asked'), graph), []);
});

t.test('where there is no other way to go, going it tells nothing', async (t) => {
  const subject = graphSubject(t);
  const labels = ['A1', 'B1', 'C1'];
  const relations = [
    { from: 'A1', type: 'generates' as const, to: 'B1', line: 1 },
    { from: 'B1', type: 'generates' as const, to: 'C1', line: 1 },
  ];
  const mentions = labels.map((label) => concept(label, 1, { declares: true }));
  subject.put('a.md', factsOf('a.md', { mentions, relations }));
  t.same(walkedPaths(walked(labels, 3), subject.graph), []);
  t.equal(walkedPaths(walked(['A1', 'C1'], 3, 'asked'), subject.graph).length, 1, 'asked for, it does');
});

import t from 'tap';
import { COMPILED_PROVENANCE, compiledPathText } from '../../src/core/compiled-path.ts';
import { REVIEW_TAG } from '../../src/core/memory-entry.ts';
import { docsNode } from './docs-nodes.ts';
import { subject } from './subject.ts';

const NODES = ['Subscription', 'Invoice', 'Charge', 'Refund'].map((label) => docsNode(label));

function wayThrough(...nodes: readonly string[]) {
  const steps = nodes.slice(1).map(() => ({ edgeType: 'generates', evidence: ['a.md:1'] }));
  return {
    content: compiledPathText({ nodes }, steps),
    provenance: COMPILED_PROVENANCE,
    sourcePaths: ['a.md:1'],
    confidence: 0.6,
  };
}

function ways({ graph }: ReturnType<typeof subject>): string[] {
  return graph.edgesOfType('leads_to').map(({ from, to }) => `${from.display} ${to.display}`);
}

t.test('an accepted way leads from its first node to its last, for as long as it is there', async (t) => {
  const it = subject();
  it.docs.set(...NODES);
  it.memory.put('fact/w', { ...wayThrough('Subscription', 'Invoice', 'Charge'), tags: [REVIEW_TAG] });
  t.same(ways(it), [], 'what waits leads nowhere');
  it.memory.put('fact/w', wayThrough('Subscription', 'Invoice', 'Charge'));
  t.same(ways(it), ['Subscription Charge']);
  t.match(it.graph.edgesOfType('leads_to'), [
    { confidence: 0.6, evidence: ['context/memory/fact/w', 'a.md:1'] },
  ]);
  t.same(it.graph.sides('concept:subscription').sort(), ['about_of', 'leads_to']);
  it.memory.put('fact/w', wayThrough('Invoice', 'Charge', 'Refund'));
  t.same(ways(it), ['Invoice Refund']);
  t.same(it.graph.sides('concept:subscription'), []);
  it.memory.drop('fact/w');
  t.same(ways(it), []);
  t.equal(it.graph.stats().totalEdges, 0);
});

t.test('two ways with the same ends are two edges, and each goes alone', async (t) => {
  const it = subject();
  it.docs.set(...NODES);
  it.memory.put('fact/v', wayThrough('Subscription', 'Invoice', 'Charge'));
  it.memory.put('fact/w', wayThrough('Subscription', 'Refund', 'Charge'));
  t.same(ways(it), ['Subscription Charge', 'Subscription Charge']);
  it.memory.drop('fact/v');
  t.same(ways(it), ['Subscription Charge']);
});

t.test('a way whose ends the docs lose leads nowhere until they are back', async (t) => {
  const it = subject();
  it.docs.set(...NODES);
  it.memory.put('fact/w', wayThrough('Subscription', 'Invoice', 'Charge'));
  t.same(ways(it), ['Subscription Charge']);
  it.docs.set(...NODES.slice(0, 2));
  t.same(ways(it), []);
  it.docs.set(...NODES);
  t.same(ways(it), ['Subscription Charge']);
});

t.test('only a fact of that kind and form is a way', async (t) => {
  const it = subject();
  it.docs.set(...NODES);
  const way = wayThrough('Subscription', 'Invoice', 'Charge');
  it.memory.put('fact/said', { content: way.content });
  it.memory.put('episodic/w', way);
  it.memory.put('fact/other', { ...way, content: 'Subscription leads to Charge.' });
  it.memory.put('fact/unknown', wayThrough('Subscription', 'Invoice', 'Nobody'));
  t.same(ways(it), []);
});

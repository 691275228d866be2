import { deepEqual, equal } from 'node:assert/strict';
import fc from 'fast-check';
import t from 'tap';
import { MEMORY_RELATIONS, PROVENANCE_KEYS } from '../../src/core/memory-entry.ts';
import { encodeName } from '../../src/core/names.ts';
import { memoryNodeView } from '../../src/memory-graph/view.ts';
import { docsNode, docsPage } from './docs-nodes.ts';
import { contentOf, sidesOf, subject } from './subject.ts';

type Subject = ReturnType<typeof subject>;
type Step = (to: Subject) => void;

const name = fc
  .tuple(
    fc.constantFrom('fact', 'episodic', 'procedural'),
    fc.constantFrom('a', 'b', 'x/y', 'a about b', '%'),
  )
  .map(([type, key]) => `${type}/${key}`);
const word = fc.constantFrom(
  'Refund policy',
  'refund-policies',
  'billing',
  'Billing',
  '!',
  'a b',
  '__proto__',
);
const path = fc.constantFrom('a.md', 'a.md:3', 'docs/a.md', 'b.md');
const content = fc
  .array(fc.constantFrom('a refund', 'Charges', '`GET /v1/refunds`', 'billing', '\n', 'x'), { maxLength: 4 })
  .map((words) => words.join(' '));
const draft = fc.record(
  {
    content,
    tags: fc.array(word, { maxLength: 3 }),
    actor: fc.constantFrom('ana', 'bot', 'a b'),
    sourcePaths: fc.array(path, { maxLength: 3 }),
    provenance: fc.dictionary(fc.constantFrom(...PROVENANCE_KEYS), fc.constantFrom('x', '', 'a/b'), {
      maxKeys: 3,
    }),
    confidence: fc.constantFrom(0.1, 1),
  },
  { requiredKeys: [] },
);
const docsNodes = fc.subarray([
  docsNode('Refund'),
  docsNode('Charge'),
  docsNode('Charge', 'APIObject', { display: 'Charge (APIObject)', name: encodeName('Charge (APIObject)') }),
  docsNode('GET /v1/refunds', 'Endpoint'),
  docsPage('a.md'),
]);
const session = fc
  .record(
    { summary: content, topics: fc.array(word, { maxLength: 2 }), actor: fc.constantFrom('ana', 'bot') },
    { requiredKeys: [] },
  )
  .chain((facts) => fc.constantFrom('s1', 's2').map((id) => ({ id, startedMs: 0, ...facts })));

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.tuple(name, draft).map(
      ([at, entry]): Step =>
        ({ memory }) =>
          memory.put(at, entry),
    ),
  },
  {
    weight: 2,
    arbitrary: name.map(
      (at): Step =>
        ({ memory }) =>
          memory.drop(at),
    ),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(name, fc.constantFrom(...MEMORY_RELATIONS), name, fc.constantFrom(0.2, 1)).map(
      ([from, relation, to, weight]): Step =>
        ({ memory }) =>
          memory.relate(from, relation, to, weight),
    ),
  },
  fc.constant<Step>(({ memory }) => memory.unrelate()),
  docsNodes.map(
    (nodes): Step =>
      ({ docs }) =>
        docs.set(...nodes),
  ),
  fc.uniqueArray(session, { selector: ({ id }) => id }).map(
    (sessions): Step =>
      (to) =>
        to.sessions.set(...sessions),
  ),
  fc.constant<Step>(({ graph }) => {
    graph.revision();
  }),
);
const history = fc.array(step, { maxLength: 25 });

t.test('the graph after any changes is the graph built anew', async () => {
  fc.assert(
    fc.property(history, (steps) => {
      const all = subject();
      for (const step of steps) step(all);
      deepEqual(contentOf(all.graph), contentOf(all.rebuilt()));
    }),
    { numRuns: 300 },
  );
});

t.test('names that came or went since a version are those that differ', async () => {
  const namesOf = ({ graph }: Subject) => graph.names().map(({ name, type }) => `${type} ${name}`);
  fc.assert(
    fc.property(history, history, (first, second) => {
      const all = subject();
      for (const step of first) step(all);
      const before = namesOf(all);
      const { revision } = all.graph.listed();
      for (const step of second) step(all);
      const after = namesOf(all);
      const differing = before
        .filter((one) => !after.includes(one))
        .concat(after.filter((one) => !before.includes(one)));
      const told = all.graph.namesSince(revision)?.map(({ name, type }) => `${type} ${name}`);
      deepEqual(told?.sort(), differing.sort());
    }),
    { numRuns: 200 },
  );
});

t.test('of names that came or went long ago nothing is known, and the latest are', async () => {
  const { graph, memory } = subject();
  const { revision } = graph.listed();
  for (let count = 0; count < 5000; count += 1) memory.put(`fact/${count}`);
  equal(graph.namesSince(revision), undefined);
  const late = graph.listed().revision;
  memory.put('fact/late');
  deepEqual(graph.namesSince(late), [{ name: 'fact%2Flate', type: 'Fact' }]);
});

const DOCS_KEYS = ['Refund', 'Charge'].map((label) => docsNode(label).key).concat(docsPage('a.md').key);

t.test('the sides of a node are the other ends of its edges', async () => {
  fc.assert(
    fc.property(history, (steps) => {
      const { graph, ...rest } = subject();
      for (const step of steps) step({ graph, ...rest });
      const edges = graph.nodes().flatMap((node) => graph.outgoing(node));
      for (const id of [...graph.nodes().map((node) => node.id), ...DOCS_KEYS]) {
        const ends = edges.flatMap(({ source, type, target }) => [
          ...(source === id ? [`${type} ${target}`] : []),
          ...(target === id ? [`${type}_of ${source}`] : []),
        ]);
        const shown = sidesOf(graph, id).map(([side, , end]) => `${side} ${end}`);
        deepEqual(shown.sort(), ends.sort());
        for (const side of graph.sides(id)) equal(graph.side(id, side)?.get('no such name'), undefined);
        equal(graph.side(id, 'about_of_of'), undefined);
      }
    }),
    { numRuns: 200 },
  );
});

t.test('where a side shows something else, its edges are among those that changed since', async () => {
  const shownOf = ({ graph }: Subject) =>
    [...graph.nodes().map(({ id }) => id), ...DOCS_KEYS].flatMap((id) =>
      sidesOf(graph, id).map(([side, name]) => [id, side, name] as const),
    );
  fc.assert(
    fc.property(history, history, (first, second) => {
      const all = subject();
      for (const step of first) step(all);
      const before = shownOf(all);
      const revision = all.graph.revision();
      for (const step of second) step(all);
      const after = shownOf(all);
      const told = all.graph.edgesSince(revision)?.flatMap(({ source, type, target, ...names }) => [
        [source, type, names.targetName],
        [target, `${type}_of`, names.sourceName],
      ]);
      const has = (all: readonly (readonly unknown[])[] | undefined, one: readonly unknown[]) =>
        all?.some((other) => other[0] === one[0] && other[1] === one[1] && (other[2] ?? one[2]) === one[2]);
      for (const one of before) if (!has(after, one)) equal(has(told, one), true, String(one));
      for (const one of after) if (!has(before, one)) equal(has(told, one), true, String(one));
    }),
    { numRuns: 200 },
  );
});

t.test('an entry that goes takes back exactly what it gave', async () => {
  fc.assert(
    fc.property(history, draft, (steps, entry) => {
      const all = subject();
      for (const step of steps) step(all);
      const before = contentOf(all.graph);
      all.memory.put('fact/one more', entry);
      all.graph.revision();
      all.memory.drop('fact/one more');
      deepEqual(contentOf(all.graph), before);
    }),
    { numRuns: 200 },
  );
});

t.test('the degree of each node is the count of edges at it', async () => {
  fc.assert(
    fc.property(history, (steps) => {
      const all = subject();
      for (const step of steps) step(all);
      const { graph } = all;
      const edges = graph.nodes().flatMap((node) => graph.outgoing(node));
      const distinct = new Set(
        edges.map(({ source, type, target }) => JSON.stringify([source, type, target])),
      );
      equal(distinct.size, edges.length);
      equal(graph.stats().totalEdges, edges.length);
      for (const { id, degree } of graph.nodes()) {
        equal(edges.filter(({ source, target }) => source === id || target === id).length, degree, id);
      }
    }),
    { numRuns: 200 },
  );
});

t.test('every node is found by its listed name, and by nothing else of that name', async () => {
  fc.assert(
    fc.property(history, (steps) => {
      const all = subject();
      for (const step of steps) step(all);
      for (const { id, name } of all.graph.nodes()) equal(all.graph.node(name)?.id, id);
    }),
    { numRuns: 100 },
  );
});

t.test('a node that shows something else has another version', async () => {
  fc.assert(
    fc.property(history, (steps) => {
      const all = subject();
      const shown = new Map<string, unknown>();
      for (const step of steps) {
        step(all);
        for (const node of all.graph.nodes()) {
          const page = memoryNodeView(all.graph, node);
          const version = `${node.version} ${node.id}`;
          if (shown.has(version)) deepEqual(page, shown.get(version));
          shown.set(version, page);
        }
      }
    }),
    { numRuns: 200 },
  );
});

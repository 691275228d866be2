import t from 'tap';
import { EDGE_TYPES, NODE_TYPES } from '../../src/core/graph-model.ts';
import { PROVENANCE_KEYS } from '../../src/core/memory-entry.ts';
import { MEMORY_EDGE_TYPES, MEMORY_NODE_TYPES } from '../../src/memory-graph/model.ts';
import { isMemoryName } from '../../src/memory-graph/node-names.ts';
import { memoryNodeView } from '../../src/memory-graph/view.ts';
import { docsNode, docsPage } from './docs-nodes.ts';
import { edgesOf, subject } from './subject.ts';

t.test('an entry leads to its topics, its agent, its sources and what it names', async (t) => {
  const { memory, docs, graph } = subject();
  docs.set(docsNode('Refund'), docsNode('charge.refunded', 'Event'), docsPage('refunds/create.md'));
  memory.put('fact/refunds', {
    content: 'Refunds take 5 days; wait for charge.refunded.',
    tags: ['billing'],
    actor: 'ana',
    sourcePaths: ['refunds/create.md:31', 'gone.md'],
    provenance: { channel: 'slack' },
  });
  t.same(edgesOf(graph), [
    'fact/refunds -about-> Refund',
    'fact/refunds -about-> charge.refunded',
    'fact/refunds -about-> topic/billing',
    'fact/refunds -attributed_to-> agent/ana',
    'fact/refunds -channel-> meta/channel/slack',
    'fact/refunds -derived_from-> meta/source_path/gone.md',
    'fact/refunds -derived_from-> refunds/create.md',
  ]);
  t.match(graph.about('concept:refund'), [{ from: { name: 'fact%2Frefunds' }, type: 'about' }]);
});

t.test('episodes and procedures concern what they speak of, and are by their agent', async (t) => {
  const { memory, docs, graph } = subject();
  docs.set(docsNode('Refund'));
  memory.put('episodic/call', { content: 'Asked for a refund', tags: ['billing'], actor: 'ana' });
  memory.put('procedural/how', { content: 'How to refund', actor: 'bot' });
  t.same(edgesOf(graph), [
    'episodic/call -by-> agent/ana',
    'episodic/call -concerns-> Refund',
    'episodic/call -concerns-> topic/billing',
    'procedural/how -by-> agent/bot',
    'procedural/how -concerns-> Refund',
  ]);
  t.equal(graph.node('episodic/call')?.type, 'Memory');
  t.equal(graph.node('procedural/how')?.type, 'Procedure');
});

t.test('an entry with an actor has its edge, whatever its kind and the name', async (t) => {
  const { memory, graph } = subject();
  for (const type of ['fact', 'episodic', 'procedural']) {
    for (const actor of ['ana', 'a/b', '.hidden', ' ', '__proto__']) {
      memory.put(`${type}/${encodeURIComponent(actor)}`, { actor });
    }
  }
  for (const entry of graph.nodes().filter(({ type }) => type !== 'Entity')) {
    const agents = graph.outgoing(entry).map(({ type, to }) => [type, to.type]);
    t.same(agents, [[entry.type === 'Fact' ? 'attributed_to' : 'by', 'Entity']], entry.label);
  }
  t.match(graph.node('agent/a/b'), { type: 'Entity', properties: { kind: 'agent' }, degree: 3 });
});

t.test('every provenance key is representable and linked, and is never an entity', async (t) => {
  const { memory, graph } = subject();
  const provenance = Object.fromEntries(PROVENANCE_KEYS.map((key) => [key, 'ana']));
  memory.put('fact/a', { provenance, actor: 'ana' });
  memory.put('episodic/b', { provenance: { ...provenance, channel: '' } });
  for (const key of PROVENANCE_KEYS) {
    t.ok(
      graph.edgesOfType(key).some(({ from, to }) => from.id === 'fact/a' && to.id === `meta/${key}/ana`),
      key,
    );
    t.match(graph.node(`meta/${key}/ana`), { type: 'Meta', properties: { key, value: 'ana' } });
  }
  t.equal(graph.node('meta/channel/')?.type, 'Meta', 'an empty value is one too');
  const entities = graph.nodes('Entity').map(({ label }) => label);
  t.same(entities, ['agent/ana'], 'only who wrote is an entity');
});

t.test('spellings of a topic are one node, shown by the form written most often', async (t) => {
  const { memory, graph } = subject();
  memory.put('fact/a', { tags: ['Refund policy', 'refund-policies'] });
  memory.put('fact/b', { tags: ['refund-policies'] });
  memory.put('fact/c', { tags: ['!!', '??'] });
  t.same(
    graph.nodes('Topic').map(({ label }) => label),
    ['topic/!!', 'topic/??', 'topic/Refund policy'],
  );
  memory.put('fact/d', { tags: ['refund-policies'] });
  t.equal(graph.node('topic/refund policy')?.label, 'topic/refund-policies');
  t.equal(graph.node('topic/refund policy')?.degree, 3);
});

t.test('a session is a Memory with its summary, topics and turns', async (t) => {
  const { docs, sessions, graph } = subject();
  docs.set(docsNode('Refund'));
  const session = { id: '20261121T045625-7f3a', startedMs: 0 };
  sessions.set({ ...session, summary: 'Spoke of refunds', topics: ['billing'], turnCount: 12, actor: 'ana' });
  t.match(graph.node('session/20261121T045625-7f3a'), {
    type: 'Memory',
    description: 'Spoke of refunds',
    properties: { kind: 'session', turns: '12' },
    timesMs: { started_at: 0 },
  });
  t.same(edgesOf(graph), [
    'session/20261121T045625-7f3a -by-> agent/ana',
    'session/20261121T045625-7f3a -concerns-> Refund',
    'session/20261121T045625-7f3a -concerns-> topic/billing',
  ]);
  sessions.set(session);
  t.same(edgesOf(graph), [], 'what it no longer says is gone');
  sessions.set();
  t.same(graph.nodes(), []);
});

t.test('relations have their weight, and are there while both ends are', async (t) => {
  const { memory, graph } = subject();
  memory.put('fact/old');
  memory.put('fact/new');
  memory.relate('fact/new', 'supersedes', 'fact/old', 0.4);
  memory.relate('fact/new', 'related_to', 'fact/new');
  memory.relate('fact/new', 'follows', 'episodic/nowhere');
  t.match(graph.edgesOfType('supersedes'), [
    { from: { id: 'fact/new' }, to: { id: 'fact/old' }, weight: 0.4 },
  ]);
  t.same(edgesOf(graph), ['fact/new -supersedes-> fact/old'], 'nothing is related to itself or to nothing');
  memory.drop('fact/old');
  t.same(edgesOf(graph), []);
  memory.put('fact/old');
  memory.put('episodic/nowhere');
  t.same(edgesOf(graph), ['fact/new -follows-> episodic/nowhere', 'fact/new -supersedes-> fact/old']);
  memory.relate('fact/new', 'supersedes', 'fact/old', 0.9);
  t.match(graph.edgesOfType('supersedes'), [{ weight: 0.9 }]);
});

t.test('a source path that has no document yet leads to it when it comes', async (t) => {
  const { memory, docs, graph } = subject();
  memory.put('fact/a', { sourcePaths: ['docs/new.md:3'] });
  t.same(edgesOf(graph), ['fact/a -derived_from-> meta/source_path/docs/new.md:3']);
  docs.set(docsPage('new.md'));
  t.same(edgesOf(graph), ['fact/a -derived_from-> new.md'], 'named as the mount names it');
  t.match(graph.about('document:new.md'), [{ evidence: ['docs/new.md:3'] }]);
  docs.set();
  t.same(edgesOf(graph), ['fact/a -derived_from-> meta/source_path/docs/new.md:3']);
});

t.test('front matter is no part of what an entry says, and lines count from its top', async (t) => {
  const { memory, docs, graph } = subject();
  docs.set(docsNode('Refund'), docsNode('Charge'));
  memory.put('fact/a', { content: '---\ntags: [charge]\n---\nAll about refunds.\n' });
  t.match(graph.about('concept:refund'), [{ evidence: ['context/memory/fact/a:4'] }]);
  t.equal(graph.node('fact/a')?.description, 'All about refunds.');
  t.same(graph.about('concept:charge'), []);
  memory.put('fact/a', { content: '---\nabout a charge\n---\n' });
  t.equal(graph.about('concept:charge').length, 1, 'between two rules without a key stands prose');
  memory.put('fact/a', { content: '---\n---\ncharge' });
  t.match(graph.about('concept:charge'), [{ evidence: ['context/memory/fact/a:3'] }]);
  memory.put('fact/a', { content: '--- no front matter about a charge' });
  t.equal(graph.about('concept:charge').length, 1);
  memory.put('fact/a', { content: 'charge\0' });
  t.same(graph.about('concept:charge'), [], 'what is no text names nothing');
});

t.test('an entry whose time to live has ended is gone, though nobody said so', async (t) => {
  const { memory, clock, graph } = subject();
  memory.put('fact/a', { expiresMs: 6000, tags: ['x'] });
  memory.put('fact/b', { expiresMs: 9000 });
  t.equal(graph.nodes().length, 3);
  clock.ms = 6000;
  t.same(
    graph.nodes().map(({ label }) => label),
    ['fact/b'],
  );
  t.equal(graph.node('fact/b')?.timesMs['expires_at'], 9000);
});

t.test(
  'after one changed entry only that entry is read, and the graph tells once until it is asked',
  async (t) => {
    const { memory, graph } = subject();
    let told = 0;
    graph.onChange(() => {
      told += 1;
    });
    for (const key of ['a', 'b', 'c']) memory.put(`fact/${key}`, { tags: ['one'] });
    t.equal(told, 1);
    const before = graph.revision();
    t.equal(graph.revision(), before, 'asking changes nothing');
    const untouched = graph.node('fact/a');
    memory.put('fact/b', { tags: ['two'] });
    t.equal(told, 2);
    t.equal(graph.nodes('Topic').length, 2);
    t.not(graph.revision(), before);
    t.same(memory.asked, { places: 1, get: 4, allLinks: 1 });
    t.same(graph.node('fact/a'), untouched);
  },
);

t.test('times are those of what changed: of the graph, of the list of names, of a node', async (t) => {
  const { memory, clock, graph } = subject();
  memory.put('fact/a', { updatedMs: 100, tags: ['x'] });
  memory.put('fact/b', { updatedMs: 300 });
  t.same([graph.changedMs(), graph.listed().nowMs], [300, 300], 'at first, when entries were written');
  t.equal(graph.node('topic/x')?.changedMs, 100);
  clock.ms = 7000;
  memory.put('fact/a', { content: 'new', tags: ['x'] });
  t.same([graph.changedMs(), graph.listed().nowMs], [7000, 300]);
  t.equal(graph.node('fact/a')?.changedMs, 7000);
  t.equal(graph.node('fact/b')?.changedMs, 300);
  clock.ms = 8000;
  memory.put('fact/b', { tags: ['x'] });
  t.equal(graph.listed().nowMs, 300, 'no name came or went');
  t.equal(graph.node('topic/x')?.changedMs, 8000);
  clock.ms = 9000;
  memory.drop('fact/b');
  t.equal(graph.listed().nowMs, 9000);
});

t.test('what another process changed is seen by the revision of memory', async (t) => {
  const { memory, graph } = subject();
  t.same(graph.nodes(), []);
  memory.putQuietly('fact/a');
  t.equal(graph.nodes().length, 1);
  memory.putQuietly('fact/b');
  memory.tell([]);
  t.equal(graph.nodes().length, 2);
  graph.close();
  memory.put('fact/c');
  t.equal(graph.nodes().length, 3, 'closed, it still answers, by revision');
});

t.test('the names of the docs are read only where a text may name one', async (t) => {
  const { memory, sessions, docs, graph } = subject();
  let read = 0;
  const identities = docs.identities.bind(docs);
  docs.identities = () => {
    read += 1;
    return identities();
  };
  sessions.set({ id: 's', startedMs: 0 });
  docs.set(docsNode('Refund'));
  t.equal(graph.stats().totalNodes, 1);
  t.equal(read, 0);
  memory.put('fact/a', { content: 'a refund' });
  t.equal(graph.about('concept:refund').length, 1);
  t.equal(read, 1);
});

t.test('a name of the docs that changes changes the pages that show it', async (t) => {
  const { memory, docs, graph } = subject();
  docs.set(docsNode('Refund'));
  memory.put('fact/a', { content: 'a refund' });
  const before = graph.node('fact/a')?.version;
  docs.set(docsNode('Refund'));
  t.equal(graph.node('fact/a')?.version, before, 'another revision with the same names changes nothing');
  docs.set(docsNode('Refund', 'APIObject', { display: 'Refund (APIObject)', name: 'Refund (APIObject)' }));
  t.same(edgesOf(graph), ['fact/a -about-> Refund (APIObject)']);
  t.not(graph.node('fact/a')?.version, before);
});

t.test('a node has the shape of a node of the docs', async (t) => {
  const { memory, graph } = subject();
  memory.put('fact/a', { content: 'Hello', tags: ['x'], confidence: 0.7, session: 's' });
  const node = graph.node('fact%2Fa');
  t.same(node && memoryNodeView(graph, node), {
    entity: 'fact/a',
    type: 'Fact',
    description: 'Hello',
    weight: 1,
    confidence: 0.7,
    degree: 1,
    sources: ['context/memory/fact/a'],
    properties: {
      kind: 'fact',
      session: 's',
      created_at: '1970-01-01T00:00:01.000Z',
      updated_at: '1970-01-01T00:00:02.000Z',
    },
    outgoing_relationships: [
      {
        edge_type: 'about',
        node: 'topic/x',
        weight: 1,
        confidence: 1,
        evidence: ['context/memory/fact/a'],
      },
    ],
    incoming_relationships: [],
  });
});

t.test('nodes and edges of memory are told from those of the docs', async (t) => {
  t.equal(
    new Set<string>([...MEMORY_NODE_TYPES, ...NODE_TYPES]).size,
    MEMORY_NODE_TYPES.length + NODE_TYPES.length,
  );
  t.equal(
    new Set<string>([...MEMORY_EDGE_TYPES, ...EDGE_TYPES]).size,
    MEMORY_EDGE_TYPES.length + EDGE_TYPES.length,
  );
  for (const name of ['fact/a', 'episodic/a', 'procedural/a', 'session/s', 'topic/t', 'agent/a', 'meta/k/v'])
    t.ok(isMemoryName(name), name);
  for (const name of ['Charge', 'facts/a', 'POST /v1/fact/a', 'fact', '']) t.notOk(isMemoryName(name), name);
});

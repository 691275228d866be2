import { deepEqual } from 'node:assert/strict';
import { join } from 'node:path';
import fc from 'fast-check';
import t from 'tap';
import { systemClock } from '../../src/core/clock.ts';
import { ErrorLog } from '../../src/core/error-log.ts';
import { isFsError } from '../../src/core/errors.ts';
import { openMemory } from '../../src/memory/open-memory.ts';
import { memoryGraph } from '../../src/memory-graph/memory-graph.ts';
import { openContextStore } from '../../src/store/context-store.ts';
import { type Teardown, temporaryFolder } from '../support/temporary.ts';
import { docsNode } from './docs-nodes.ts';
import { contentOf, edgesOf, FakeDocs, place } from './subject.ts';

const CONTEXT = { caller: { name: 'ana' } };

/** A memory that is kept in a file, and the graph of it; several processes open one file. */
function open(t: Teardown, file: string, docs: FakeDocs) {
  const store = openContextStore(file);
  const memory = openMemory({
    store,
    record: () => {},
    clock: systemClock,
    errors: new ErrorLog(systemClock),
    actorOf: ({ caller }) => caller?.name ?? 'nobody',
    sessionOf: () => 's1',
  });
  const options = { memory, sessions: store.sessions, docs };
  const graph = memoryGraph(options);
  t.teardown(() => {
    graph.close();
    memory.close();
    store.close();
  });
  return { store, memory, graph, rebuilt: () => memoryGraph(options) };
}

function subject(t: Teardown) {
  const file = join(temporaryFolder(t), 'context.sqlite');
  const docs = new FakeDocs();
  docs.set(docsNode('Refund'));
  return { ...open(t, file, docs), another: () => open(t, file, docs) };
}

t.test('what is written with front matter is in the graph at once', async (t) => {
  const { memory, graph } = subject(t);
  memory.add({ ...place('fact/old'), content: Buffer.from('Refunds take 9 days') }, CONTEXT);
  const content = Buffer.from(
    '---\ntags: [billing]\nsource_paths: [refunds.md]\nchannel: slack\nsupersedes: fact/old\n---\nRefunds take 5 days\n',
  );
  memory.add({ ...place('fact/new'), content }, CONTEXT);
  t.same(edgesOf(graph), [
    'fact/new -about-> Refund',
    'fact/new -about-> topic/billing',
    'fact/new -attributed_to-> agent/ana',
    'fact/new -channel-> meta/channel/slack',
    'fact/new -derived_from-> meta/source_path/refunds.md',
    'fact/new -supersedes-> fact/old',
    'fact/old -about-> Refund',
    'fact/old -attributed_to-> agent/ana',
  ]);
});

t.test('what is described, related, moved, removed and restored is as built anew', async (t) => {
  const { memory, graph, rebuilt } = subject(t);
  const same = (what: string) => t.same(contentOf(graph), contentOf(rebuilt()), what);
  memory.add({ ...place('fact/a'), content: Buffer.from('A refund') }, CONTEXT);
  memory.add({ ...place('fact/b'), content: Buffer.from('B') }, CONTEXT);
  same('added');
  memory.describe(place('fact/a'), { tags: ['x'], provenance: { role: 'user' } }, CONTEXT);
  same('described');
  memory.relate(place('fact/a'), 'follows', place('fact/b'), 0.5, CONTEXT);
  same('related');
  t.equal(graph.edgesOfType('follows').length, 1);
  await memory.files.rename(place('fact/b'), place('procedural/b'), CONTEXT);
  same('moved');
  t.match(graph.edgesOfType('follows'), [{ to: { id: 'procedural/b', type: 'Procedure' }, weight: 0.5 }]);
  memory.remove(place('procedural/b'), CONTEXT);
  same('removed');
  t.equal(graph.edgesOfType('follows').length, 0);
  memory.restore('b', CONTEXT);
  same('restored');
  t.equal(graph.edgesOfType('follows').length, 1);
});

t.test('links by name, which may mean another entry later, are as in a graph built anew', async (t) => {
  const key = fc.constantFrom('a', 'b', 'c');
  const at = fc.tuple(fc.constantFrom('fact', 'episodic'), key).map(([type, name]) => `${type}/${name}`);
  const name = fc.oneof(key, at);
  const step = fc.oneof(
    fc.record({ do: fc.constant('write'), at, names: fc.array(name, { maxLength: 2 }) }),
    fc.record({ do: fc.constantFrom('remove', 'restore', 'relate', 'move'), at, to: at }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 14 }), async (steps) => {
      const { graph, memory, rebuilt } = subject(t);
      graph.revision();
      for (const one of steps) {
        try {
          if ('names' in one) {
            const content = Buffer.from(`---\nfollows: [${one.names.join(', ')}]\n---\n`);
            memory.addAll([{ ...place(one.at), content }], CONTEXT);
          } else if (one.do === 'remove') memory.remove(place(one.at), CONTEXT);
          else if (one.do === 'restore') memory.restore(one.at, CONTEXT);
          else if (one.do === 'move') await memory.files.rename(place(one.at), place(one.to), CONTEXT);
          else memory.relate(place(one.at), 'caused_by', place(one.to), 0.5, CONTEXT);
        } catch (error) {
          if (!isFsError(error)) throw error;
        }
        graph.revision();
      }
      const anew = rebuilt();
      deepEqual(contentOf(graph), contentOf(anew));
      anew.close();
    }),
    { numRuns: 60 },
  );
  t.pass();
});

t.test('what another process writes is in the graph', async (t) => {
  const { graph, memory, another } = subject(t);
  t.same(graph.nodes(), []);
  const other = another();
  other.memory.add({ ...place('fact/a'), content: Buffer.from('A refund') }, CONTEXT);
  other.store.transact(() => other.store.sessions.add('s1', 1000, 'ana'));
  memory.refresh();
  t.same(
    graph.nodes().map(({ label }) => label),
    ['agent/ana', 'fact/a', 'session/s1'],
  );
  t.same(contentOf(graph), contentOf(other.graph));
});

t.test('reading changes nothing that the graph shows', async (t) => {
  const { graph, memory } = subject(t);
  memory.add({ ...place('fact/a'), content: Buffer.from('A refund') }, CONTEXT);
  const before = graph.revision();
  const file = await memory.files.open(place('fact/a'), CONTEXT);
  await file.read(new Uint8Array(10), 0);
  file.close();
  memory.refresh();
  t.equal(graph.revision(), before);
});

import { setImmediate } from 'node:timers/promises';
import t from 'tap';
import { parsePath, type VfsPath } from '../../src/core/paths.ts';
import { answeredHere } from '../../src/graph/slow-questions.ts';
import { type MemoryGraph, memoryGraph } from '../../src/memory-graph/memory-graph.ts';
import { fixedResolver } from '../../src/resolvers/fixed.ts';
import { graphResolver } from '../../src/resolvers/graph.ts';
import { SystemFs } from '../../src/vfs/system-fs.ts';
import { concept, factsOf, graphSubject } from '../graph/subject.ts';
import { FakeMemory, FakeSessions } from '../memory-graph/subject.ts';
import type { Teardown } from '../support/temporary.ts';

const CONTEXT = {};

/** The graph of docs that name a Refund and a Charge, with a memory; counts how often all that is remembered of a node is listed. */
function subject(t: Teardown) {
  const { put, graph } = graphSubject(t);
  const mentions = [1, 2].flatMap((line) => [concept('Refund', line), concept('Charge', line)]);
  put('a.md', factsOf('a.md', { mentions }));
  const memory = new FakeMemory();
  const remembered = memoryGraph({ memory, sessions: new FakeSessions(), docs: graph });
  const counted = { listings: 0 };
  const counting: MemoryGraph = {
    ...remembered,
    side(id, name) {
      const side = remembered.side(id, name);
      return (
        side && {
          names() {
            counted.listings += 1;
            return side.names();
          },
          get: (name) => side.get(name),
        }
      );
    },
  };
  const told: VfsPath[] = [];
  const resolver = graphResolver({
    graph,
    slow: answeredHere(graph),
    memory: counting,
    subscribe: () => () => {},
  });
  const root = { point: parsePath('/'), resolver: fixedResolver('root', {}, 0n) };
  const fs = new SystemFs([root, { point: parsePath('/graph'), resolver }], (error) => {
    throw error;
  });
  fs.onChange((paths) => told.push(...paths));
  const list = async (path: string) => (await fs.list(parsePath(path), CONTEXT)).map(({ name }) => name);
  const toldNow = () => told.splice(0).sort();
  const nextTold = async () => {
    while (told.length === 0) await setImmediate();
  };
  return { fs, memory, counted, list, toldNow, nextTold };
}

t.test('what is remembered of a node is told by what changed, and never listed for that', async (t) => {
  const { fs, memory, counted, list, toldNow } = subject(t);
  for (const key of ['a', 'b', 'c']) memory.put(`fact/${key}`, { content: 'Refunds take long' });
  t.same(await list('/graph/near/Refund/about_of'), ['fact%2Fa', 'fact%2Fb', 'fact%2Fc']);
  await list('/graph/near/refunds');
  counted.listings = 0;
  memory.put('fact/d', { content: 'Refunds take long' });
  const link = parsePath('/graph/near/Refund/about_of/fact%2Fd');
  t.same(toldNow(), [link, '/graph/near/refunds/about_of/fact%2Fd']);
  t.equal(await fs.readLink(link, CONTEXT), '../../../memory/nodes/fact%2Fd');
  memory.put('fact/e', { content: 'A Charge is one' });
  t.same(toldNow(), [], 'nobody looked at that');
  memory.drop('fact/d');
  t.same(toldNow(), [link, '/graph/near/refunds/about_of/fact%2Fd']);
  await t.rejects(async () => fs.stat(link, CONTEXT), { code: 'ENOENT' });
  t.equal(counted.listings, 0);
  t.same(await list('/graph/near/Refund/about_of'), ['fact%2Fa', 'fact%2Fb', 'fact%2Fc']);
});

t.test('a side that comes or goes is told, too', async (t) => {
  const { memory, list, toldNow } = subject(t);
  await list('/graph/near/Refund');
  const side = '/graph/near/Refund/concerns_of';
  for (let round = 0; round < 2; round += 1) {
    memory.put('episodic/a', { content: 'Refunds take long' });
    t.same(toldNow(), [side, `${side}/episodic%2Fa`]);
    memory.put('episodic/b', { content: 'Refunds take long' });
    t.same(toldNow(), [`${side}/episodic%2Fb`]);
    memory.drop('episodic/a');
    memory.drop('episodic/b');
    t.same(toldNow(), [side, `${side}/episodic%2Fa`, `${side}/episodic%2Fb`]);
  }
});

t.test('of more than is remembered of changes all is told', async (t) => {
  const { memory, nextTold, list, toldNow } = subject(t);
  await list('/graph/near/Refund');
  for (let count = 0; count < 5000; count += 1)
    memory.putQuietly(`fact/${count}`, { content: 'Refunds take long' });
  memory.tell([]);
  t.same(toldNow(), [], 'others are served before all of it is read');
  await nextTold();
  t.same(toldNow(), ['/graph/near']);
  t.equal((await list('/graph/near/Refund/about_of')).length, 5000);
  memory.put('fact/last', { content: 'Refunds take long' });
  t.ok(toldNow().includes(parsePath('/graph/near/Refund/about_of/fact%2Flast')));
});

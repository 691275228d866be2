import { deepEqual } from 'node:assert/strict';
import t, { type Test } from 'tap';
import { isPromiseLike } from '../../src/core/awaitable.ts';
import { docsNode } from './docs-nodes.ts';
import { contentOf, subject } from './subject.ts';

const MANY = 1000;

/** A memory of which to take in all lasts longer than a slice. */
function remembering(t: Test) {
  const all = subject();
  all.docs.set(docsNode('Refund'), docsNode('Charge'));
  for (let count = 0; count < MANY; count += 1)
    all.memory.putQuietly(`fact/n${count}`, {
      content: `Refunds take ${count} days`,
      tags: [`t${count % 7}`],
    });
  const begun = all.graph.settle();
  if (!isPromiseLike(begun)) throw new Error('all was taken in at once');
  t.ok(all.memory.asked.get < MANY, 'others are served after a part of it');
  return { ...all, settled: begun };
}

t.test('much of memory is taken in by and by', async (t) => {
  const { memory, graph, rebuilt, settled } = remembering(t);
  let turns = 0;
  const turning = setInterval(() => {
    turns += 1;
  }, 1);
  t.teardown(() => clearInterval(turning));
  await settled;
  t.ok(turns > 2, 'meanwhile this thread has time for others');
  t.equal(memory.asked.get, MANY, 'each entry is read once');
  t.equal(graph.settle(), undefined, 'there is nothing left to do');
  deepEqual(contentOf(graph), contentOf(rebuilt()));
});

t.test('who asks meanwhile gets the whole answer', (t) => {
  const { graph, rebuilt } = remembering(t);
  t.equal(graph.nodes('Fact').length, MANY);
  deepEqual(contentOf(graph), contentOf(rebuilt()));
  t.end();
});

t.test('what changes meanwhile is taken in, too', async (t) => {
  const changes: ((all: ReturnType<typeof remembering>) => void)[] = [
    ({ memory }) => memory.put('fact/n0', { content: 'Charges are quick' }),
    ({ memory }) => memory.put(`fact/n${MANY - 1}`, { content: 'Charges are quick' }),
    ({ memory }) => memory.drop('fact/n0'),
    ({ memory }) => memory.drop(`fact/n${MANY - 1}`),
    ({ memory }) => memory.relate('fact/n0', 'related_to', `fact/n${MANY - 1}`),
    ({ memory }) => {
      memory.putQuietly('fact/n1', { content: 'Charges are quick' });
      memory.putQuietly('fact/new', { content: 'Charges are quick' });
      memory.tell([]);
    },
    ({ docs }) => docs.set(docsNode('Refund'), docsNode('days')),
    ({ sessions }) => sessions.set({ id: 's1', startedMs: 0, summary: 'Refunds', topics: ['t1'] }),
  ];
  for (const change of changes) {
    const all = remembering(t);
    change(all);
    await all.settled;
    await all.graph.settle();
    deepEqual(contentOf(all.graph), contentOf(all.rebuilt()), String(change));
  }
});

t.test('why memory cannot be read is told to who waits, and the rest is read the next time', async (t) => {
  const all = remembering(t);
  const get = all.memory.get.bind(all.memory);
  all.memory.get = () => {
    throw new Error('the disk is gone');
  };
  await t.rejects(Promise.resolve(all.settled), /the disk is gone/);
  t.throws(() => all.graph.revision(), /the disk is gone/);
  all.memory.get = get;
  await all.graph.settle();
  deepEqual(contentOf(all.graph), contentOf(all.rebuilt()));
});

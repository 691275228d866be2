import { setTimeout as pause } from 'node:timers/promises';
import t from 'tap';
import type { NearPassage } from '../../src/core/vector-search.ts';
import { NEVER, vectorsSubject } from './subject.ts';

const TEXTS = [
  'Remove a user account with a DELETE request.',
  'Latency of queries under load.',
  'The board shows a card in each column.',
] as const;

function placesOf(passages: readonly NearPassage[]): string[] {
  return passages.map(({ corpus, passageId }) => `${corpus} ${passageId}`);
}

t.test('passages that say it in other words are near, with their places', async (t) => {
  const { docs, memory, open } = await vectorsSubject(t);
  docs.write(...TEXTS);
  memory.write('Kanban items wait for review.', TEXTS[1]);
  const { queue, vectors } = await open();
  await queue.pass(NEVER);
  const { passages, lack } = await vectors.nearest('how do I erase a member?', 10);
  t.equal(lack, undefined);
  t.match(passages[0], { corpus: 'docs', passageId: 1, sourceId: 100 });
  const kanban = (await vectors.nearest('kanban item', 2)).passages;
  t.same(placesOf(kanban).sort(), ['docs 3', 'memory 1']);
  const twice = (await vectors.nearest('speed of lookups', 2)).passages;
  t.same(placesOf(twice), ['docs 2', 'memory 2']);
});

t.test('the vector of a question is asked for once, also by the next process', async (t) => {
  const { docs, open, asked } = await vectorsSubject(t);
  docs.write(...TEXTS);
  const first = await open();
  await first.queue.pass(NEVER);
  await first.vectors.nearest('erase a  member', 3);
  const next = await open();
  const { passages } = await next.vectors.nearest(' erase a member ', 3);
  t.equal(passages.length, 3);
  t.equal(asked().length, 4);
  t.match(next.figures.view(), { cache_hits: 1, hit_rate: 1 });
});

t.test('without any vector nothing is asked', async (t) => {
  const { docs, open, asked } = await vectorsSubject(t);
  docs.write(...TEXTS);
  const { vectors } = await open();
  t.match(await vectors.nearest('a question', 3), {
    passages: { length: 0 },
    lack: /no text has a vector yet/,
  });
  t.equal(asked().length, 0);
});

t.test('a question waits no longer than it may, and the next one not at all for a while', async (t) => {
  const { docs, open, server } = await vectorsSubject(t, { questionTimeoutMs: 1000 });
  docs.write(...TEXTS);
  const { queue, vectors, figures } = await open();
  await queue.pass(NEVER);
  await vectors.nearest('known before', 3);
  server.script({ kind: 'hang' });
  const startMs = performance.now();
  t.match(await vectors.nearest('slow', 3), {
    passages: { length: 0 },
    lack: 'words gave no vector of the question within 1000 ms',
  });
  t.ok(performance.now() - startMs < 10_000);
  const before = server.requests.length;
  t.match(await vectors.nearest('the next', 3), { passages: { length: 0 }, lack: /within 1000 ms/ });
  t.equal(server.requests.length, before);
  t.equal((await vectors.nearest('known before', 3)).passages.length, 3, 'what is known needs nobody');
  t.match(figures.view(), { failures: 1, last_error: /within 1000 ms/ });
});

t.test('a question that is refused keeps no other one waiting, and a long one is cut', async (t) => {
  const { docs, open, server, asked } = await vectorsSubject(t);
  docs.write(...TEXTS);
  const { queue, vectors } = await open();
  await queue.pass(NEVER);
  server.refuse('POISON');
  t.match(await vectors.nearest('POISON', 3), { passages: { length: 0 }, lack: /too long/ });
  t.equal((await vectors.nearest('word '.repeat(5000), 3)).passages.length, 3);
  t.equal(asked().at(-1)?.length, 4000);
});

t.test(
  'a failure of a question is told until one succeeds, and that of a text until a text does',
  async (t) => {
    const { docs, open, server } = await vectorsSubject(t);
    docs.write(...TEXTS, 'POISON');
    server.refuse('POISON');
    const { queue, vectors, figures } = await open();
    await queue.pass(NEVER);
    t.match(figures.view(), { last_error: /too long/ });
    await vectors.nearest('a question', 3);
    t.match(figures.view(), { last_error: /too long/ }, 'it still has no vector');
    docs.write(...TEXTS, 'another one');
    await queue.pass(NEVER);
    await vectors.nearest('POISON', 3);
    t.match(figures.view(), { failures: 2, last_error: /too long/ });
    await vectors.nearest('another question', 3);
    t.match(figures.view(), { failures: 2, last_error: null });
  },
);

t.test('who goes away leaves no failure behind', async (t) => {
  const { docs, open, server } = await vectorsSubject(t);
  docs.write(...TEXTS);
  const { queue, vectors, figures } = await open();
  await queue.pass(NEVER);
  server.script({ kind: 'hang' });
  const before = server.requests.length;
  const leaving = new AbortController();
  const left = vectors.nearest('slow', 3, leaving.signal);
  while (server.requests.length === before) await pause(5);
  leaving.abort();
  t.same((await left).passages, []);
  t.equal((await vectors.nearest('slow', 3)).passages.length, 3);
  t.match(figures.view(), { failures: 0 });
});

t.test('an error that echoes the key is told without it', async (t) => {
  const { docs, open, server } = await vectorsSubject(t);
  docs.write(...TEXTS);
  const { queue, vectors, figures } = await open();
  await queue.pass(NEVER);
  server.script({ kind: 'echo-key' });
  const { lack = '' } = await vectors.nearest('a question', 3);
  t.match(lack, /\[key\]/);
  t.notMatch(`${lack}${JSON.stringify(figures.view())}`, 'sk-secret-123456');
});

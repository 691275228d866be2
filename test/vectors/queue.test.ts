import t from 'tap';
import { startEmbeddingServer } from '../support/embedding-server.ts';
import { failureOf, NEVER, vectorsSubject } from './subject.ts';

const TEXTS = Array.from({ length: 10 }, (_, index) => `passage number ${index}`);

t.test('each text is asked for once, in batches, wherever it stands', async (t) => {
  const { docs, memory, open, asked, server } = await vectorsSubject(t);
  docs.write(...TEXTS, 'passage number 3');
  memory.write('something remembered', 'passage number 4');
  const { queue, figures, store } = await open();
  t.equal(await queue.pass(NEVER), 'done');
  t.same(asked(), [...TEXTS, 'something remembered']);
  t.same(
    server.requests.map(({ texts }) => texts.length),
    [4, 4, 3],
  );
  t.match(figures.view(), { done: 11, total: 11, cache_hits: 0, failures: 0, last_error: null });
  t.equal(store.count(), 11);
  await queue.pass(NEVER);
  t.equal(asked().length, 11, 'and not again');
});

t.test('a text that moved costs nothing, and a new one itself alone', async (t) => {
  const { docs, open, asked } = await vectorsSubject(t);
  docs.write(...TEXTS);
  const { queue } = await open();
  await queue.pass(NEVER);
  docs.write('something new', ...TEXTS.slice().reverse());
  const again = await open();
  await again.queue.pass(NEVER);
  t.equal(asked().length, 11);
  t.match(again.figures.view(), { done: 11, total: 11, cache_hits: 10, hit_rate: 0.909 });
});

t.test('what failed is told, and what came before is kept', async (t) => {
  const { docs, open, asked, server } = await vectorsSubject(t);
  docs.write(...TEXTS);
  const { queue, store } = await open();
  server.script({ kind: 'wrong-count' }, { kind: 'echo-key' });
  t.match(await failureOf(queue.pass(NEVER)), { failure: 'malformed' });
  t.match(await failureOf(queue.pass(NEVER)), { failure: 'barred', message: /\[key\]/ });
  t.equal(store.count(), 0);
  await queue.pass(NEVER);
  t.equal(store.count(), 10);
  t.equal(new Set(asked()).size, 10);
});

t.test('a text that is refused costs the others of its batch nothing', async (t) => {
  const { docs, open, server } = await vectorsSubject(t);
  docs.write(...TEXTS, 'POISON');
  server.refuse('POISON');
  const { queue, figures, store } = await open();
  await queue.pass(NEVER);
  t.equal(store.count(), 10);
  t.match(figures.view(), { done: 10, total: 11, failures: 1, last_error: /too long/ });
  const before = server.requests.length;
  await queue.pass(NEVER);
  t.equal(server.requests.length, before, 'it is not asked for again');
  t.match(figures.view(), { done: 10, total: 11 });
});

t.test(
  'a text without a vector, or that breaks the server, keeps no other text from having one',
  async (t) => {
    for (const how of ['nulls', 500] as const) {
      const { docs, open, server } = await vectorsSubject(t);
      docs.write('POISON', ...TEXTS);
      server.breakOver('POISON', how);
      const { queue, figures, store } = await open();
      if (how === 500) t.match(await failureOf(queue.pass(NEVER)), { failure: 'busy', message: /NaN/ });
      else t.equal(await queue.pass(NEVER), 'done');
      t.equal(store.count(), 10);
      t.match(figures.view(), { done: 10, total: 11 });
    }
  },
);

t.test('a server that breaks over everything is not asked about every text', async (t) => {
  const { docs, open, server } = await vectorsSubject(t);
  docs.write(...Array.from({ length: 100 }, (_, index) => `passage number ${index}`));
  server.breakOver('passage', 500);
  const { queue } = await open();
  t.match(await failureOf(queue.pass(NEVER)), { failure: 'busy', message: /NaN/ });
  t.ok(server.requests.length < 30);
});

t.test('an API that refuses everything is not asked about every text', async (t) => {
  const { docs, open, server } = await vectorsSubject(t);
  docs.write(...Array.from({ length: 100 }, (_, index) => `passage number ${index}`));
  server.refuse('passage');
  const { queue, store } = await open();
  t.match(await failureOf(queue.pass(NEVER)), { failure: 'barred', message: /too long/ });
  t.ok(server.requests.length < 20);
  t.equal(store.count(), 0);
});

t.test('another model begins anew, and the one before is kept until that is done', async (t) => {
  const { docs, open, asked, server } = await vectorsSubject(t);
  docs.write(...TEXTS);
  const before = await open('one');
  await before.queue.pass(NEVER);
  const after = await open('two');
  server.script({ kind: 'status', status: 401 });
  await t.rejects(after.queue.pass(NEVER));
  t.equal(before.store.count(), 10, 'still there');
  before.queue.close();
  await after.queue.pass(NEVER);
  t.equal(after.store.count(), 10);
  t.equal(before.store.count(), 0, 'let go of');
  t.equal(asked().length, 24);
});

t.test('two models in use at once leave each other alone', async (t) => {
  const { docs, open, asked } = await vectorsSubject(t);
  docs.write(...TEXTS);
  const daemon = await open('one');
  await daemon.queue.pass(NEVER);
  const build = await open('two');
  await build.queue.pass(NEVER);
  build.queue.close();
  docs.write(...TEXTS, 'one more');
  await daemon.queue.pass(NEVER);
  t.same([daemon.store.count(), build.store.count()], [11, 10]);
  t.equal(asked().length, 21, 'nothing is asked for twice');
  daemon.queue.close();
  await (await open('one')).queue.pass(NEVER);
  t.equal(build.store.count(), 0, 'let go of by the next that has all');
});

t.test('who can no longer write to the file is closed all the same', async (t) => {
  const { docs, open } = await vectorsSubject(t);
  docs.write(...TEXTS);
  const { queue, store } = await open();
  await queue.pass(NEVER);
  store.close();
  t.doesNotThrow(() => queue.close());
});

t.test('a model that gives longer vectors by now has all made anew, and then the others go', async (t) => {
  const { docs, open, asked } = await vectorsSubject(t);
  docs.write(...TEXTS);
  const before = await open();
  await before.queue.pass(NEVER);
  before.queue.close();
  const longer = await startEmbeddingServer(128);
  t.teardown(() => longer.close());
  docs.write(...TEXTS, 'one more');
  const after = await open('words', longer.url);
  t.equal(await after.queue.pass(NEVER), 'done');
  t.same([before.store.count(), after.store.count()], [0, 11]);
  t.same(
    [asked(), longer.requests.flatMap(({ texts }) => texts)].map(({ length }) => length),
    [10, 11],
  );
  const { passages, lack } = await after.vectors.nearest(TEXTS[0] ?? '', 3);
  t.same([passages.length, lack], [3, undefined]);
});

t.test('one at a time asks, and the other finds the vectors there', async (t) => {
  const { docs, open, asked, server } = await vectorsSubject(t);
  docs.write(...TEXTS);
  const [one, other] = [await open(), await open()];
  server.delay(30);
  const first = one.queue.pass(NEVER);
  const outcomes: string[] = [];
  while (outcomes.at(-1) !== 'done') outcomes.push(await other.queue.pass(NEVER));
  t.equal(await first, 'done');
  t.ok(outcomes.includes('elsewhere'));
  t.equal(asked().length, 10);
});

for (const isDone of [true, false]) {
  t.test(
    `who was held up for long asks for nothing that another has${isDone ? '' : ', or is about to have,'} by then`,
    async (t) => {
      let nowMs = 0;
      const { docs, open, asked, server } = await vectorsSubject(t, { nowMs: () => nowMs });
      docs.write(...TEXTS);
      const [one, other] = [await open(), await open()];
      server.delay(300);
      const first = one.queue.pass(NEVER);
      while (server.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
      nowMs = 11 * 60_000;
      server.delay(isDone ? 0 : 400);
      t.equal(await other.queue.pass(NEVER), 'done');
      await first;
      t.equal(asked().length, 14, 'but for the four that were under way');
      t.equal(one.store.count(), 10);
      t.equal(await one.queue.pass(NEVER), 'done');
      t.match(one.figures.view(), { done: 10, total: 10 });
    },
  );
}

t.test('who stops a pass keeps what was answered, and the next goes on there', async (t) => {
  const { docs, open, asked, server } = await vectorsSubject(t);
  docs.write(...TEXTS);
  const { queue, store } = await open();
  const stopping = new AbortController();
  server.delay(20);
  const passed = failureOf(queue.pass(stopping.signal));
  while (server.requests.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
  stopping.abort();
  t.equal((await passed).failure, 'stopped');
  t.equal(store.count(), 4);
  await queue.pass(NEVER);
  t.equal(store.count(), 10);
  t.equal(asked().length, 14, 'the four that were under way are asked for again');
});

t.test('vectors that no text has any more do not pile up', async (t) => {
  const { docs, open } = await vectorsSubject(t, { batchSize: 1000 });
  const { queue, store } = await open();
  const many = (word: string) => Array.from({ length: 700 }, (_, index) => `${word} ${index}`);
  for (const word of ['first', 'second', 'third', 'fourth']) {
    docs.write(...many(word));
    await queue.pass(NEVER);
  }
  t.equal(store.count(), 1700, 'those of the texts there are, and a thousand of before');
});

import { createHash } from 'node:crypto';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { openVectorStore, whyNoVectors } from '../../src/store/vector-store.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { textVectors } from '../support/text-vector.ts';

const { vectorOf, close } = textVectors(100);
t.teardown(close);

const hashOf = (text: string) => createHash('sha1').update(text).digest().subarray(0, 12);
const holder = (id: string) => ({ id, pid: 1, startTicks: '1' });
const entry = (text: string) => ({ textHash: hashOf(text), vector: vectorOf(text) });

async function subject(t: Test, model = 'words', file = join(temporaryFolder(t), 'vectors.sqlite')) {
  const store = await openVectorStore(file, model);
  t.teardown(() => store.close());
  return { store, file };
}

t.test('sqlite-vec can be loaded here', async (t) => {
  t.equal(await whyNoVectors(), undefined);
});

t.test('the nearest texts are found by all their numbers, nearest first', async (t) => {
  const { store } = await subject(t);
  const texts = Array.from({ length: 1500 }, (_, index) => `filler number${index} thing${index % 7}`);
  store.put([...texts, 'remove a user account', 'the weather on mars'].map(entry));
  t.equal(store.count(), 1502);
  const asked = vectorOf('how to delete users');
  const found = store.nearest(asked, 5);
  t.equal(found.length, 5);
  t.same(found[0]?.textHash, hashOf('remove a user account'));
  const expected = vectorOf('remove a user account').reduce(
    (sum, value, index) => sum + value * (asked[index] ?? 0),
    0,
  );
  t.ok(Math.abs((found[0]?.similarity ?? 0) - expected) < 1e-5);
  t.same(
    found.map(({ similarity }) => similarity),
    found.map(({ similarity }) => similarity).sort((a, b) => b - a),
  );
});

t.test('of texts that are equally near the same ones are found in whatever order they came', async (t) => {
  const same = { vector: vectorOf('a refund') };
  const texts = Array.from({ length: 1500 }, (_, index) => ({ textHash: hashOf(`text ${index}`), ...same }));
  const [one, other] = [(await subject(t)).store, (await subject(t)).store];
  one.put(texts);
  other.put(texts.toReversed());
  const found = one.nearest(same.vector, 5).map(({ textHash }) => textHash);
  t.equal(found.length, 5);
  t.same(
    other.nearest(same.vector, 5).map(({ textHash }) => textHash),
    found,
  );
});

t.test('a text has one vector for each model, and models do not mix', async (t) => {
  const { store, file } = await subject(t);
  store.put([entry('a refund'), entry('a refund')]);
  store.put([entry('a refund')]);
  t.equal(store.count(), 1);
  const other = (await subject(t, 'others', file)).store;
  t.equal(other.has(hashOf('a refund')), false);
  t.same(other.nearest(vectorOf('a refund'), 5), []);
  other.put([{ textHash: hashOf('a refund'), vector: Float32Array.of(0.6, 0.8) }]);
  t.equal(store.nearest(vectorOf('a refund'), 5).length, 1);
  other.removeOtherModels(() => true);
  t.equal(store.count(), 0);
  t.equal(other.count(), 1);
});

t.test('vectors of another length begin anew beside those that are there', async (t) => {
  const { store, file } = await subject(t);
  const short = (text: string) => ({ textHash: hashOf(text), vector: Float32Array.of(1, 0) });
  t.equal(store.put([entry('a'), entry('b')]), false);
  t.throws(() => store.put([entry('c'), short('d')]));
  t.equal(store.count(), 2, 'none of a mixed lot is kept');
  const other = (await subject(t, 'words', file)).store;
  t.equal(other.put([short('a')]), true);
  t.equal(other.put([short('a')]), false);
  t.same([store.count(), other.count()], [2, 1]);
  t.same([store.has(hashOf('b')), other.has(hashOf('b'))], [true, false]);
  t.equal(store.nearest(vectorOf('a'), 5).length, 2);
  t.equal((await subject(t, 'words', file)).store.count(), 1, 'the later one is gone on with');
  t.throws(() => store.putQuestion(hashOf('q'), Float32Array.of(1, 0, 0)), /3 dimensions for the question/);
  t.equal(other.put([entry('c')]), true, 'and the one before, where its length comes back');
  t.equal(other.count(), 3);
});

t.test('a model that another process uses is not removed', async (t) => {
  const { store, file } = await subject(t);
  store.put([entry('a')]);
  store.use(holder('daemon'));
  const other = (await subject(t, 'others', file)).store;
  other.put([entry('a')]);
  other.removeOtherModels(() => true);
  t.equal(store.count(), 1);
  store.leave(holder('daemon'));
  store.use(holder('killed'));
  other.removeOtherModels(() => false);
  t.same([store.count(), other.count()], [0, 1]);
});

t.test('what no text has any more is removed, the oldest first, but for some', async (t) => {
  const { store } = await subject(t);
  store.put(['a', 'b', 'c', 'd', 'e'].map(entry));
  const used = new Set([hashOf('a'), hashOf('d')].map((hash) => hash.toString('hex')));
  t.equal(
    store.removeUnused((hash) => used.has(hash.toString('hex')), 1),
    2,
  );
  t.same(
    ['a', 'b', 'c', 'd', 'e'].filter((text) => store.has(hashOf(text))),
    ['a', 'd', 'e'],
  );
});

t.test('vectors of questions are remembered as they were, the latest of them', async (t) => {
  const { store } = await subject(t);
  t.equal(store.question(hashOf('q')), undefined);
  store.putQuestion(hashOf('q'), vectorOf('q'));
  t.same(store.question(hashOf('q')), vectorOf('q'));
  for (let index = 0; index < 2001; index += 1)
    store.putQuestion(hashOf(`q${index}`), Float32Array.from(vectorOf('x')));
  t.equal(store.question(hashOf('q')), undefined);
  t.ok(store.question(hashOf('q2000')));
});

t.test('one holder at a time may ask, until it gives up, is dead, or says nothing any more', async (t) => {
  const { store } = await subject(t);
  const at = (nowMs: number, isAlive = true) => ({ nowMs, forMs: 100, isAlive: () => isAlive });
  t.equal(store.hold(holder('a'), at(0)), true);
  t.equal(store.hold(holder('a'), at(50)), true);
  t.equal(store.hold(holder('b'), at(120)), false);
  t.equal(store.hold(holder('b'), at(120, false)), true, 'its process has ended');
  t.equal(store.hold(holder('a'), at(150)), false);
  t.equal(store.hold(holder('a'), at(221)), true, 'its time has passed');
  store.release(holder('b'));
  t.equal(store.hold(holder('b'), at(222)), false, 'who holds nothing gives nothing up');
  store.release(holder('a'));
  t.equal(store.hold(holder('b'), at(222)), true);
});

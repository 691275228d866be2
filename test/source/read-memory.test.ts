import t from 'tap';
import { OWN, roomFor } from '../../src/source/read-memory.ts';

const SHARED_BYTES = 64 * 1024;

t.test('what is taken at the same time does not overlap', (t) => {
  const taken = Array.from({ length: 100 }, (_, index) => {
    const memory = roomFor(3000);
    return { memory, bytes: memory.take(3000).fill(index) };
  });
  t.ok(taken.every(({ bytes }, index) => bytes.every((byte) => byte === index)));
  for (const { memory } of taken) memory.give();
  t.end();
});

t.test('what is read one after the other is read into the same memory', (t) => {
  const first = roomFor(4000);
  const { buffer } = first.take(4000);
  first.give();
  for (let index = 0; index < 100; index += 1) {
    const memory = roomFor(4000);
    t.equal(memory.take(4000).buffer, buffer);
    memory.give();
  }
  t.end();
});

t.test('no more memory stays with one that is kept than several share', (t) => {
  const kept = roomFor(10);
  const bytes = kept.take(10).fill(7);
  for (let index = 0; index < 100; index += 1) {
    const memory = roomFor(16_000);
    memory.take(16_000).fill(1);
    memory.give();
  }
  t.equal(bytes.buffer.byteLength, SHARED_BYTES);
  t.ok(bytes.every((byte) => byte === 7));
  kept.give();
  t.end();
});

t.test('what has grown meanwhile has its own memory, and so does what is large', (t) => {
  const before = roomFor(100);
  const after = roomFor(100);
  const others = after.take(100).fill(2);
  before.take(101).fill(1);
  t.ok(others.every((byte) => byte === 2));
  before.give();
  after.give();
  t.equal(roomFor(SHARED_BYTES), OWN);
  t.equal(OWN.take(5000).buffer.byteLength, 5000);
  t.end();
});

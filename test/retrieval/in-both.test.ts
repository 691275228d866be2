import fc from 'fast-check';
import t from 'tap';
import { inBoth } from '../../src/retrieval/in-both.ts';

const ascending = (max: number) =>
  fc.uniqueArray(fc.nat({ max }), { maxLength: 200 }).map((numbers) => Int32Array.from(numbers).sort());

t.test('what stands in two lists is found, however long each of them is', async (t) => {
  fc.assert(
    fc.property(ascending(50), ascending(500), (one, other) => {
      const there = new Set(other);
      const expected = [...one].filter((number) => there.has(number));
      t.strictSame(inBoth(one, other), expected);
      t.strictSame(inBoth(other, one), expected);
    }),
  );
});

t.test('nothing stands in an empty list', async (t) => {
  t.strictSame(inBoth(new Int32Array(0), Int32Array.of(1, 2)), []);
  t.strictSame(inBoth(new Int32Array(0), new Int32Array(0)), []);
});

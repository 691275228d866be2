import fc from 'fast-check';
import t from 'tap';
import { PassageSums } from '../../src/retrieval/passage-sums.ts';

const PASSAGES = 3_000;
const ids = fc
  .uniqueArray(fc.nat({ max: PASSAGES - 1 }), { maxLength: 400 })
  .map((one) => Int32Array.from(one));
const terms = fc.array(
  fc.record({ ids, value: fc.constantFrom(0.25, 0.5, 1, 4), concept: fc.nat({ max: 3 }) }),
  {
    maxLength: 8,
  },
);

t.test('the best are those of a sum over all, each concept counted once for a passage', async (t) => {
  const sums = new PassageSums(PASSAGES);
  const places = Int32Array.from({ length: PASSAGES }, (_, id) => (id * 7) % PASSAGES);
  fc.assert(
    fc.property(terms, fc.integer({ min: 1, max: 300 }), fc.boolean(), (given, limit, isFiltered) => {
      const inOrder = given.toSorted((a, b) => a.concept - b.concept || b.value - a.value);
      const allowed = isFiltered ? Uint8Array.from({ length: PASSAGES }, (_, id) => id % 3) : undefined;
      const expected = new Map<number, Map<number, number>>();
      for (const { ids, value, concept } of inOrder) {
        for (const id of ids) {
          const ofPassage = expected.get(id) ?? new Map();
          if (!ofPassage.has(concept)) ofPassage.set(concept, value);
          expected.set(id, ofPassage);
        }
      }
      const totalOf = (id: number) =>
        [...(expected.get(id)?.values() ?? [])].reduce((sum, value) => sum + value, 0);
      const best = [...expected.keys()]
        .filter((id) => allowed === undefined || allowed[id] === 1)
        .sort((a, b) => totalOf(b) - totalOf(a) || (places[a] ?? 0) - (places[b] ?? 0))
        .slice(0, limit);
      sums.clear();
      for (const { ids, value, concept } of inOrder) sums.addOnce(ids, value, concept + 1);
      t.strictSame(sums.best(limit, allowed, places), best);
      t.ok(best.every((id) => sums.of(id) === totalOf(id)));
    }),
  );
});

t.test('what is added once more counts beside what was added before', async (t) => {
  const sums = new PassageSums(3);
  sums.addOnce(Int32Array.of(1, 2), 2, 1);
  sums.addMore(Int32Array.of(2), 0.5);
  t.strictSame(
    [0, 1, 2].map((id) => sums.of(id)),
    [0, 2, 2.5],
  );
});

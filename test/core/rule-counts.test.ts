import fc from 'fast-check';
import t from 'tap';
import { countsOf, countsText, learntConfidence } from '../../src/core/rule-counts.ts';
import { ruleCounts } from '../../src/state/learning-file.ts';

const count = fc.integer({ min: 0, max: 100_000 });
const confidence = fc.integer({ min: 0, max: 100 }).map((hundredths) => hundredths / 100);

t.test('a rule of which nothing was judged is as sure as it is by itself', async (t) => {
  t.equal(learntConfidence(0.4, undefined), 0.4);
  t.equal(learntConfidence(0.4, { confirmed: 0, rejected: 0 }), 0.4);
});

t.test('no judgements drive a rule to 0 or 1', async () => {
  fc.assert(
    fc.property(confidence, count, count, (base, confirmed, rejected) => {
      const learnt = learntConfidence(base, { confirmed, rejected });
      return learnt >= Math.min(0.05, base) && learnt <= Math.max(0.99, base);
    }),
  );
});

t.test('one more confirmation never takes confidence away, one more rejection never adds any', async () => {
  const few = fc.integer({ min: 0, max: 50 });
  fc.assert(
    fc.property(confidence, few, few, (base, confirmed, rejected) => {
      const learnt = learntConfidence(base, { confirmed, rejected });
      // Beyond the greatest count both are scaled, and their share is what counts.
      const more = learntConfidence(base, { confirmed: confirmed + 1, rejected });
      const less = learntConfidence(base, { confirmed, rejected: rejected + 1 });
      return more >= learnt - 0.011 && less <= learnt + 0.011;
    }),
  );
});

t.test('a few judgements move a rule a little, and many of one kind a lot', async (t) => {
  t.equal(learntConfidence(0.9, { confirmed: 0, rejected: 1 }), 0.83);
  t.equal(learntConfidence(0.9, { confirmed: 0, rejected: 60 }), 0.15);
  t.equal(learntConfidence(0.4, { confirmed: 1, rejected: 0 }), 0.45);
  t.equal(learntConfidence(0.4, { confirmed: 60, rejected: 0 }), 0.9);
});

t.test('the order of judgements makes no difference', async () => {
  const judgement = fc.record({
    verdict: fc.constantFrom<'confirmed' | 'rejected'>('confirmed', 'rejected'),
    rules: fc.uniqueArray(fc.constantFrom('requires', 'named', 'link?'), { minLength: 1 }),
  });
  fc.assert(
    fc.property(fc.array(judgement, { maxLength: 30 }), fc.infiniteStream(fc.nat()), (all, chance) => {
      const named = all.map((one, index) => [`entry ${index}`, one] as const);
      const shuffled = named
        .map((one) => ({ one, at: chance.next().value }))
        .sort((a, b) => a.at - b.at)
        .map(({ one }) => one);
      const text = (list: typeof named) => countsText(ruleCounts({ judged: Object.fromEntries(list) }));
      return text(named) === text(shuffled);
    }),
  );
});

t.test('counts are the same after they were written and read', async (t) => {
  const counts = { requires: { confirmed: 3, rejected: 1 }, named: { confirmed: 0, rejected: 0 } };
  t.same(countsOf(countsText(counts)), { requires: counts.requires });
  t.same(countsOf(undefined), {});
});

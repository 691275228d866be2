import fc from 'fast-check';
import t from 'tap';
import { withEachPart } from '../../src/retrieval/coverage.ts';
import { type Fused, fuse, type RankedList } from '../../src/retrieval/fusion.ts';

const list = (keys: string, weight = 1, retriever: RankedList['retriever'] = 'keyword'): RankedList => ({
  retriever,
  weight,
  keys: [...keys],
});
const order = (fused: readonly Fused[]) => fused.map(({ key }) => key).join('');

t.test('rankings are joined by their ranks', async (t) => {
  t.equal(order(fuse([list('abc'), list('bca', 1, 'graph')], 60)), 'bac');
  const [first] = fuse([list('ab'), list('a', 2, 'graph')], 60);
  t.same(first, { key: 'a', score: 1, ranks: { keyword: 1, graph: 1 } });
  t.same(fuse([], 60), []);
});

t.test('what counts more decides', async (t) => {
  t.equal(order(fuse([list('ab'), list('ba', 3, 'vector')], 60)), 'ba');
  t.equal(order(fuse([list('ab', 3), list('ba', 1, 'vector')], 60)), 'ab');
});

t.test('where time is asked for, it decides between equals', async (t) => {
  t.equal(order(fuse([list('ab'), list('ba', 1, 'recency')], 60)), 'ba');
  t.equal(order(fuse([list('ab'), list('ba', 1, 'vector')], 60)), 'ab');
});

t.test('equal scores are in the order of keys, and no score is over 1', async () => {
  fc.assert(
    fc.property(
      fc.array(fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e')), { maxLength: 3 }),
      (keys) => {
        const retrievers = ['keyword', 'graph', 'vector'] as const;
        const lists = keys.map((one, index) => list(one.join(''), 1, retrievers[index] ?? 'recency'));
        const fused = fuse(lists, 60);
        return fused.every(({ key, score }, index) => {
          const before = fused[index - 1];
          if (before === undefined) return score <= 1.000001;
          // Sums of the same parts in another order differ in their last digits.
          const isSame = Math.abs(before.score - score) < 1e-9;
          return isSame ? before.key < key : before.score > score;
        });
      },
    ),
  );
});

t.test('the best for each part comes behind the first four, with its source named once', async (t) => {
  const fused = fuse([list('abcdefgh')], 60);
  const whole = (key: string) => key;
  t.equal(order(withEachPart(fused, ['g', 'h'], whole)), 'abcdghef');
  t.equal(order(withEachPart(fused, ['b', 'f'], whole)), 'abcdfegh');
  t.equal(
    order(withEachPart(fused, ['f'], (key) => (key === 'f' ? 'a' : key))),
    'abcdefgh',
    'its source is ahead',
  );
  t.equal(withEachPart(fused, [], whole), fused);
  const scores = withEachPart(fused, ['h'], whole).map(({ score }) => score);
  t.same(
    scores,
    [...scores].sort((a, b) => b - a),
  );
});

t.test('lists that all count nothing count alike, and no score is without a number', async (t) => {
  const fused = fuse([{ ...list('ba'), weight: 0 }], 60);
  t.equal(order(fused), 'ba');
  t.equal(fused[0]?.score, 1);
  t.ok(fused.every(({ score }) => Number.isFinite(score)));
});

import t from 'tap';
import { countedTerms, countsIn } from '../../src/words/bag.ts';

t.test('a bag holds each term once, and says how often it stands in the text', async (t) => {
  const counted = countedTerms(['refund', 'card', 'refund', 'card', 'refund', 'fee']);
  t.same(counted, { terms: 'refund card refund card refund fee', bag: 'refund:3 card:2 fee', length: 6 });
  t.same(
    [...countsIn(counted.bag)],
    [
      ['refund', 3],
      ['card', 2],
      ['fee', 1],
    ],
  );
});

t.test('a text without terms has an empty bag', async (t) => {
  t.same(countedTerms([]), { terms: '', bag: '', length: 0 });
  t.equal(countsIn('').size, 0);
});

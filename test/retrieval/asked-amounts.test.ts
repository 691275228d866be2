import t from 'tap';
import { weightByAmount } from '../../src/retrieval/asked-amounts.ts';
import { countedTerms } from '../../src/words/bag.ts';
import { termsOf } from '../../src/words/tokens.ts';
import { searched } from './searched.ts';

function counts(question: string, text: string): boolean {
  const { bag } = countedTerms(termsOf(text));
  return weightByAmount(question)({ bodyBag: bag }) > 1;
}

t.test('what has an amount of what is asked for counts more', async (t) => {
  const answered = [
    ['How long is a ticket valid?', 'It ends after 30 days.'],
    ['How long is a ticket valid?', 'It ends after two weeks.'],
    ['And how long may a name be?', 'Names have up to 80 characters.'],
    ['how soon must I answer', 'Within 500ms.'],
    ['How often is it cleaned?', 'Every night, and again every night.'],
    ['How big may a picture be?', 'No more than 5MB.'],
    ['How big may a picture be?', 'No more than 5 megabytes.'],
    ['How many seats has a boat?', 'Each has 12.'],
    ['How many days is it open?', 'For 3 days.'],
    ['how much time is left', 'An hour has 60 minutes, a minute 60 seconds.'],
  ] as const;
  for (const [question, text] of answered) t.equal(counts(question, text), true, `${question} ${text}`);
});

t.test('a number of another thing does not, nor a word that stands there several times', async (t) => {
  const others = [
    ['How long is a ticket valid?', 'It costs 30 crowns.'],
    ['How long is a ticket valid?', 'A day is a day.'],
    ['How big may a picture be?', 'It is shown for 5 minutes.'],
    ['How many seats has a boat?', 'Seats are seats, and boats are boats.'],
    ['How many days is it open?', 'It has 12 gates.'],
  ] as const;
  for (const [question, text] of others) t.equal(counts(question, text), false, `${question} ${text}`);
});

t.test('for other questions all count alike', async (t) => {
  for (const question of ['How is a ticket made?', 'as long as it lasts', 'show longer tickets', ''])
    t.equal(counts(question, 'It ends after 30 days.'), false, question);
});

const PAGES = {
  'fines.md':
    '# Fines\n\nWhoever has a ticket that is not valid pays. A valid ticket is shown at the gate.\n',
  'fares.md':
    '# Fares\n\nThe blue ticket is valid for 90 minutes from its stamp, on all lines of the town.\n',
  'lines.md': '# Lines\n\nThe town has trams and ferries.\n',
};

t.test('the page that says for how long comes before one that says as much of the rest', async (t) => {
  const { paths } = await searched(t, PAGES);
  t.equal((await paths('is a ticket valid', { scope: '/docs' }))[0], '/docs/fines.md');
  t.equal((await paths('how long is a ticket valid', { scope: '/docs' }))[0], '/docs/fares.md');
});

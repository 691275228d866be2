import t from 'tap';
import { askedTime, byTime } from '../../src/retrieval/recency.ts';

const NEWEST_MS = Date.UTC(2026, 2, 10, 15);
const day = (month: number, date: number) => Date.UTC(2026, month - 1, date);
const asked = (question: string) => askedTime(question, () => NEWEST_MS);

t.test('the latest is asked for in words', async (t) => {
  for (const question of [
    'the latest notes',
    'What has changed in billing?',
    'most recent decision',
    "what's new",
    'recently updated pages',
  ]) {
    t.same(asked(question), {}, question);
  }
});

t.test('a time is reckoned from the day of what is newest', async (t) => {
  t.same(asked('what did we do yesterday'), { fromMs: day(3, 9), toMs: day(3, 10) });
  t.same(asked('notes of today'), { fromMs: day(3, 10), toMs: day(3, 11) });
  t.same(asked('decisions of the last 3 days'), { fromMs: day(3, 7), toMs: day(3, 11) });
  t.same(asked('what was decided last week'), { fromMs: day(3, 3), toMs: day(3, 11) });
  t.same(asked('What was decided in the LAST 2 WEEKS?'), { fromMs: day(2, 24), toMs: day(3, 11) });
  const ago = { fromMs: day(2, 20), toMs: day(3, 1) };
  t.same(asked('what happened two weeks ago'), ago, 'about that day, by half a week');
});

t.test('a date is a day or a month', async (t) => {
  t.same(asked('release of 2026-02-03'), { fromMs: day(2, 3), toMs: day(2, 4) });
  t.same(asked('release of 2026-02'), { fromMs: day(2, 1), toMs: day(3, 1) });
  t.same(asked('release of 2026-12'), { fromMs: day(12, 1), toMs: day(13, 1) });
  t.same(asked('the latest release of 2026-02'), { fromMs: day(2, 1), toMs: day(3, 1) });
  for (const month of ['00', '13']) t.equal(asked(`release of 2026-${month}`), undefined);
});

t.test('other questions ask for no time, and then nobody looks what is newest', async (t) => {
  for (const question of ['How do refunds work?', 'retry an old key', 'the last page of a list', '']) {
    t.equal(asked(question), undefined, question);
  }
  askedTime('How do refunds work?', () => {
    throw new Error('asked');
  });
});

t.test('what is in the time comes, the newest first', async (t) => {
  const dates = [day(3, 1), day(3, 9), day(3, 5)];
  const show = (items: number[]) => items.map((ms) => new Date(ms).getUTCDate());
  t.same(show(byTime(dates, {}, (ms) => ms)), [9, 5, 1]);
  t.same(
    show(byTime(dates, { fromMs: day(3, 5), toMs: day(3, 9) }, (ms) => ms)),
    [5],
    'from then on, until before',
  );
});

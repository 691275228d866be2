import t from 'tap';
import { isoDay, isoTime, isTime, timeInName } from '../../src/core/iso-time.ts';

const AT_MS = Date.UTC(2026, 10, 21, 4, 56, 25, 7);

t.test('a time is shown in UTC to the millisecond, as a day, and as part of a name', async (t) => {
  t.equal(isoTime(AT_MS), '2026-11-21T04:56:25.007Z');
  t.equal(isoTime(undefined), undefined);
  t.equal(isoDay(AT_MS), '2026-11-21');
  t.equal(timeInName(AT_MS), '20261121T045625');
});

t.test('what no calendar has is no time', async (t) => {
  const last = 8.64e15;
  t.strictSame([last, last + 1, Number.NaN, Number.POSITIVE_INFINITY].map(isTime), [
    true,
    false,
    false,
    false,
  ]);
  t.throws(() => isoTime(last + 1), RangeError);
});

import t from 'tap';
import { retryAfterMs } from '../../src/agent/retry.ts';

const NOW_MS = Date.parse('2026-01-01T00:00:00Z');

t.test('Retry-After is seconds or a date; what is neither says nothing', async (t) => {
  const after = (value: string) => retryAfterMs(new Headers({ 'retry-after': value }), NOW_MS);
  t.equal(after('3'), 3000);
  t.equal(after('Thu, 01 Jan 2026 00:00:10 GMT'), 10_000);
  t.equal(after('Wed, 31 Dec 2025 00:00:10 GMT'), 0, 'a date that is past');
  t.equal(after('soon'), undefined);
  t.equal(retryAfterMs(new Headers({ 'retry-after-ms': '250', 'retry-after': '3' })), 250);
  t.equal(retryAfterMs(new Headers()), undefined);
});

import t from 'tap';
import { sinceMs } from '../../src/cli/since.ts';
import { UserError } from '../../src/core/errors.ts';

const NOW_MS = Date.UTC(2026, 10, 21, 12);

t.test('a time is an age, a date or a moment', async (t) => {
  const at = (text: string) => new Date(sinceMs(text, NOW_MS, 'context history')).toISOString();
  t.equal(at('90s'), '2026-11-21T11:58:30.000Z');
  t.equal(at('30m'), '2026-11-21T11:30:00.000Z');
  t.equal(at('2h'), '2026-11-21T10:00:00.000Z');
  t.equal(at('3d'), '2026-11-18T12:00:00.000Z');
  t.equal(at('1w'), '2026-11-14T12:00:00.000Z');
  t.equal(at('2026-11-20'), '2026-11-20T00:00:00.000Z');
  t.equal(at('2026-11-20T10:00:00+02:00'), '2026-11-20T08:00:00.000Z');
});

t.test('anything else is refused with what would be right', async (t) => {
  for (const text of ['', 'yesterday', '2', 'h', '2y', '-1h', '2026-13-01', '2026-11-20 noon', '1.5h']) {
    t.throws(() => sinceMs(text, NOW_MS, 'context history'), UserError, text);
  }
});

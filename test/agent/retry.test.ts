import t from 'tap';
import { retryAfterMs, withRetries } from '../../src/agent/retry.ts';
import { ModelError } from '../../src/core/model-error.ts';

const NOW_MS = Date.parse('2026-01-01T00:00:00Z');

t.test('Retry-After is seconds or a date; what is neither says nothing', async (t) => {
  const after = (value: string) => retryAfterMs(new Headers({ 'retry-after': value }), NOW_MS);
  t.equal(after('3'), 3000);
  t.equal(after('Thu, 01 Jan 2026 00:00:10 GMT'), 10_000);
  t.equal(after('Wed, 31 Dec 2025 00:00:10 GMT'), 0, 'a date that is past');
  t.equal(after('soon'), undefined);
  t.equal(retryAfterMs(new Headers({ 'retry-after-ms': '250', 'retry-after': '3' })), 250);
  t.equal(after(' '), undefined);
  t.equal(retryAfterMs(new Headers()), undefined);
});

/** Asks so often that it succeeds at the last attempt, failing like this before. @returns how often it was asked, or why it failed */
async function asked(attempts: number, failures: readonly unknown[], signal?: AbortSignal): Promise<unknown> {
  let times = 0;
  const ask = async () => {
    const failure = failures[times];
    times += 1;
    if (failure !== undefined) throw failure;
    return times;
  };
  return await withRetries(ask, { attempts, ...(signal ? { signal } : {}) }, () => 0).catch(
    (error: unknown) => [times, error],
  );
}

t.test('what may pass is asked for again, as often as that is meant, and what will not is not', async (t) => {
  const busy = new ModelError('busy', 'later', 0);
  const refused = new ModelError('refused', 'no');
  const bug = new Error('a bug');
  t.equal(await asked(3, [busy, busy]), 3);
  t.same(await asked(2, [busy, busy]), [2, busy]);
  t.same(await asked(1, [busy]), [1, busy]);
  t.same(await asked(3, [busy, refused]), [2, refused]);
  t.same(await asked(3, [bug]), [1, bug]);
  const muchLater = new ModelError('busy', 'tomorrow', 30_001);
  t.same(await asked(3, [muchLater]), [1, muchLater]);
});

t.test('who no longer waits for an answer is not asked for, also in a pause', async (t) => {
  t.match(await asked(3, [], AbortSignal.abort()), [0, { failure: 'stopped' }]);
  const stop = new AbortController();
  const answered = asked(3, [new ModelError('busy', 'later', 30_000)], stop.signal);
  setImmediate(() => stop.abort());
  t.match(await answered, [1, { failure: 'stopped' }]);
});

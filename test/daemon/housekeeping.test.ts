import { existsSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers';
import t from 'tap';
import { type App, openApp } from '../../src/app/app.ts';
import { MS_PER_DAY } from '../../src/core/clock.ts';
import { isClockBelieved, keepHouse, keepOnce } from '../../src/daemon/housekeeping.ts';
import { prepareScratchpad } from '../../src/scratchpad/session-folders.ts';
import { indexedSample } from '../support/indexed-sample.ts';
import type { Teardown } from '../support/temporary.ts';

t.test('what is past its time waits where the clock is far ahead of the last use', async (t) => {
  const { settings } = await indexedSample(t);
  const app = openApp({ settings, slowInThread: false });
  t.teardown(() => app.close());
  const { store } = app.workspace;
  const nowMs = Date.now();
  const isBelieved = (daysFromNow: number) => isClockBelieved(app, nowMs + daysFromNow * MS_PER_DAY);
  t.ok(isBelieved(1000), 'where nobody was before, there is nothing to clear away');

  store.transact(() => store.sessions.add('other', nowMs - MS_PER_DAY, 'tester'));
  t.ok(isBelieved(0));
  t.notOk(isBelieved(3), 'a clock that is wrong at boot');
  t.ok(isBelieved(-1000), 'one that is behind has nothing past its time');

  store.transact(() => store.sessions.setEnded('other', nowMs));
  t.ok(isBelieved(3));
  t.notOk(isBelieved(4));

  const enter = (session: string, daysFromNow: number) => {
    const timeMs = nowMs + daysFromNow * MS_PER_DAY;
    store.transact(() =>
      store.history.append(
        { timeMs, type: 'read', actor: 'tester', path: undefined, session, line: '{}\n' },
        timeMs,
      ),
    );
  };
  const { session } = app.workspace;
  store.transact(() => store.sessions.add(session, nowMs + 4 * MS_PER_DAY, 'tester'));
  enter(session, 4);
  t.notOk(isBelieved(4), 'what this very session did by that clock says nothing of it');
  enter('other', 2);
  t.ok(isBelieved(4), 'what another one did does');
});

t.test('what is past its time is cleared away, and nothing of it where it may not be', async (t) => {
  const { settings } = await indexedSample(t);
  const app = openApp({ settings, slowInThread: false });
  t.teardown(() => app.close());
  const { memory, state } = app;
  const { store } = app.workspace;
  const nowMs = Date.now();
  const scratchpad = prepareScratchpad(state.scratchpadsFolder, 'ended');
  const row = {
    timeMs: nowMs,
    type: 'read',
    actor: 'tester',
    path: undefined,
    session: 'ended',
    line: '{}\n',
  };
  store.transact(() => store.history.append(row, nowMs));
  const collected: unknown[] = [];
  const collect = memory.gc.bind(memory);
  memory.gc = (options, context) => {
    collected.push(options);
    return collect(options, context);
  };
  const left = () => [collected.length, existsSync(scratchpad), store.history.files().length];
  const inDays = (days: number) => nowMs + days * MS_PER_DAY;
  await keepOnce(app, { mayClear: false }, inDays(100));
  t.same(left(), [0, true, 1]);
  await keepOnce(app, { mayClear: true }, inDays(6));
  t.same(left(), [1, true, 1]);
  await keepOnce(app, { mayClear: true }, inDays(8));
  t.same(left(), [2, false, 1]);
  await keepOnce(app, { mayClear: true }, inDays(92));
  t.same(left(), [3, false, 0]);
  t.same(collected[0], { dryRun: false });
});

t.test(
  'soon after the start nothing goes by a clock that is not believed, and each day it does',
  async (t) => {
    const { settings } = await indexedSample(t);
    const app = openApp({ settings, slowInThread: false });
    t.teardown(() => app.close());
    const { store } = app.workspace;
    const used = (session: string, atMs: number) =>
      store.transact(() => store.sessions.add(session, atMs, 'tester'));
    let collected = 0;
    app.memory.gc = () => {
      collected += 1;
      throw new Error('the disk is gone');
    };
    used('long ago', Date.now() - 10 * MS_PER_DAY);
    const { first, daily } = timersOf(t, app);
    first();
    t.equal(collected, 0);
    daily();
    t.equal(collected, 1);
    used('lately', Date.now());
    first();
    t.equal(collected, 2, 'where it is believed');
    await new Promise(setImmediate);
    t.match(
      app.errors.entries(),
      [{ message: 'clearing away: the disk is gone' }, {}],
      'nobody waits for it',
    );
  },
);

/** What housekeeping does when a time of it has come. */
function timersOf(t: Teardown, app: App): { readonly first: () => void; readonly daily: () => void } {
  const { setTimeout, setInterval } = timers;
  const due: { readonly how: string; readonly act: () => void }[] = [];
  const noted = (how: string) => (act: () => void) => {
    due.push({ how, act });
    return setTimeout(() => {}, 0);
  };
  Object.assign(timers, { setTimeout: noted('once'), setInterval: noted('daily') });
  syncBuiltinESMExports();
  const end = keepHouse(app);
  Object.assign(timers, { setTimeout, setInterval });
  syncBuiltinESMExports();
  t.teardown(end);
  const actOf = (how: string) => {
    const act = due.find((one) => one.how === how)?.act;
    if (act === undefined) throw new Error(`nothing is done ${how}`);
    return act;
  };
  return { first: actOf('once'), daily: actOf('daily') };
}

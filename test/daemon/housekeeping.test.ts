import t from 'tap';
import { openApp } from '../../src/app/app.ts';
import { MS_PER_DAY } from '../../src/core/clock.ts';
import { isClockBelieved } from '../../src/daemon/housekeeping.ts';
import { indexedSample } from '../support/indexed-sample.ts';

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
});

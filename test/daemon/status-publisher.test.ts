import t from 'tap';
import { openApp } from '../../src/app/app.ts';
import { MS_PER_DAY, systemClock } from '../../src/core/clock.ts';
import { Faults } from '../../src/daemon/faults.ts';
import { IndexProgress } from '../../src/daemon/index-progress.ts';
import { StatusPublisher } from '../../src/daemon/status-publisher.ts';
import { indexedSample } from '../support/indexed-sample.ts';

t.test(
  'the figures of a mount are published within two seconds, also where the clock is set back',
  async (t) => {
    const { settings } = await indexedSample(t);
    const app = openApp({ settings, slowInThread: true });
    t.teardown(() => app.close());
    let nodes = 1;
    const status = new StatusPublisher({
      app,
      facts: { mountpoint: '/mnt', driver: 'linux', startedMs: 0 },
      progress: new IndexProgress(systemClock),
      schema: () => ({ file: undefined, rules: undefined, faults: [] }),
      figures: () => ({ requests: 1, pending: 0, timeouts: 0, threads: 1, nodes, handles: 0, notices: 0 }),
      faults: new Faults(app.errors),
    });
    status.publish();
    nodes = 2;
    const { now } = Date;
    t.teardown(() => {
      Date.now = now;
    });
    Date.now = () => now() - MS_PER_DAY;
    const waitMs = status.publishFigures() ?? 0;
    t.ok(waitMs > 0 && waitMs <= 2000, `again in ${waitMs} ms`);
  },
);

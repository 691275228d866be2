import t from 'tap';
import { openApp } from '../../src/app/app.ts';
import { MS_PER_DAY, systemClock } from '../../src/core/clock.ts';
import { Faults } from '../../src/daemon/faults.ts';
import { IndexProgress } from '../../src/daemon/index-progress.ts';
import { StatusPublisher } from '../../src/daemon/status-publisher.ts';
import type { MountFigures } from '../../src/fuse/driver.ts';
import { thisProcess } from '../../src/state/processes.ts';
import { readToldStatus } from '../../src/state/told-status.ts';
import { until } from '../ingest/watch-fixture.ts';
import { indexedSample } from '../support/indexed-sample.ts';

const FIGURES = { requests: 1, pending: 0, timeouts: 0, threads: 1, nodes: 1, handles: 0, notices: 0 };

/** What a test changes of it is what the status is made of from then on. */
class Subject {
  figures: MountFigures | undefined = FIGURES;
  /** Why the index cannot be read. */
  failure: Error | undefined;
  /** How often it was published. */
  published = 0;
  readonly status: StatusPublisher;

  constructor(mountpoint: string | null = '/mnt') {
    const statusChanged = app.statusChanged.bind(app);
    app.statusChanged = () => {
      this.published += 1;
      statusChanged();
    };
    this.status = new StatusPublisher({
      app,
      facts: { mountpoint, driver: 'linux', startedMs: 0 },
      progress: new IndexProgress(systemClock),
      schema: () => {
        if (this.failure !== undefined) throw this.failure;
        return { file: undefined, rules: undefined, faults: [] };
      },
      figures: () => this.figures,
      faults: new Faults(app.errors),
    });
  }
}

const { settings } = await indexedSample(t);
const app = openApp({ settings, slowInThread: true });
t.teardown(() => app.close());

t.test(
  'the figures of a mount are published within two seconds, also where the clock is set back',
  async (t) => {
    const it = new Subject();
    it.status.publish();
    it.figures = { ...FIGURES, nodes: 2 };
    const { now } = Date;
    t.teardown(() => {
      Date.now = now;
    });
    Date.now = () => now() - MS_PER_DAY;
    const waitMs = it.status.publishFigures() ?? 0;
    t.ok(waitMs > 0 && waitMs <= 2000, `again in ${waitMs} ms`);
  },
);

t.test('what a status is made of shows once it is published, and when that is', async (t) => {
  for (const change of [{ nodes: 2 }, { handles: 1 }, { pending: 1 }]) {
    const it = new Subject();
    t.equal(it.status.publishFigures(), undefined, 'nothing is used');
    t.equal(it.published, 0, 'nor has anything changed');
    it.figures = { ...FIGURES, ...change };
    const againMs = 'nodes' in change ? undefined : 2000;
    t.equal(it.status.publishFigures(), againMs, 'no event tells that what is open was closed');
    t.equal(it.published, 1);
    t.match(it.status.view().mount, change);
    t.equal(it.status.publishFigures(), againMs);
    t.equal(it.published, 1, 'once');
  }

  const unmounted = new Subject();
  unmounted.figures = undefined;
  unmounted.status.publish();
  t.equal(unmounted.status.publishFigures(), undefined);
  unmounted.figures = FIGURES;
  t.equal(unmounted.status.publishFigures(), undefined, 'a mount that begins is an event');
  t.equal(unmounted.published, 1);

  const broken = new Subject();
  const { documents } = broken.status.view();
  broken.failure = new Error('the disk failed');
  broken.status.become('ready');
  const { state, errors, documents: documentsThen } = broken.status.view();
  t.same([state, errors, documentsThen], ['ready', 1, documents], 'figures stay where they cannot be had');

  const ending = new Subject();
  ending.status.become('ready');
  t.equal(ending.status.state, 'ready');
  ending.status.become('stopping');
  ending.status.become('ready');
  ending.status.publish();
  t.equal(ending.status.view().state, 'stopping');
  t.equal(ending.published, 2, 'nothing behind its end');
});

t.test('a daemon without a mount writes its status where commands find it, and no other does', async (t) => {
  new Subject().status.become('ready');
  t.equal(readToldStatus(app.state, thisProcess()), undefined);
  new Subject(null).status.become('ready');
  t.match(readToldStatus(app.state, thisProcess()), { state: 'ready' });
});

t.test('many changes in quick succession are published once, and those after that once more', async (t) => {
  const it = new Subject();
  for (const published of [1, 2]) {
    for (let change = 0; change < 3; change += 1) it.status.publishSoon();
    t.equal(it.published, published - 1);
    await until('it to be published', () => it.published >= published);
    t.equal(it.published, published);
  }
});

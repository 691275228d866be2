import t from 'tap';
import type { SubPath } from '../../src/core/paths.ts';
import { IndexProgress } from '../../src/daemon/index-progress.ts';
import type { LiveDocsMessage } from '../../src/ingest/live-docs.ts';

const INDEXED: LiveDocsMessage = {
  type: 'indexed',
  result: {
    documents: 1,
    added: 1,
    changed: 0,
    removed: 0,
    revision: 1,
    modelFacts: { found: 0, confirmed: 0, dropped: 0 },
    held: [],
  },
  lookMs: 1,
};

/** A progress whose clock is moved by hand. */
function subject() {
  const clock = { ms: 1000 };
  const progress = new IndexProgress({ nowMs: () => clock.ms });
  const changed = (waiting: number, atMs?: number) =>
    progress.take({
      type: 'disk-changed',
      paths: ['a.md' as SubPath],
      waiting,
      ...(atMs === undefined ? {} : { atMs }),
    });
  return { clock, progress, changed };
}

t.test('a change is pending until it is indexed, and the oldest tells how far behind', async (t) => {
  const { clock, progress, changed } = subject();
  changed(1, 1000);
  clock.ms = 1100;
  changed(2, 1100);
  t.match(progress, { pending: 2, lagMs: 100, lastEventMs: 1100, lastIndexedMs: undefined });
  progress.take({ type: 'indexing', paths: 2 });
  clock.ms = 1200;
  changed(1, 1200);
  t.match(progress, { pending: 3, lagMs: 200 });
  progress.take(INDEXED);
  t.match(progress, { pending: 1, lagMs: 0, lastIndexedMs: 1200 });
  clock.ms = 1250;
  t.equal(progress.lagMs, 50, 'what changed while the rest was read still waits');
  progress.take({ type: 'indexing', paths: 1 });
  progress.take(INDEXED);
  t.match(progress, { pending: 0, lagMs: 0 });
});

t.test('what could not be indexed stays pending', async (t) => {
  const { clock, progress, changed } = subject();
  changed(1, 1000);
  progress.take({ type: 'indexing', paths: 1 });
  clock.ms = 1500;
  progress.take({ type: 'failed', reason: 'the disk is full' });
  t.match(progress, { pending: 1, lagMs: 500, lastIndexedMs: undefined });
});

t.test('what may have changed unseen is no event', async (t) => {
  const { progress, changed } = subject();
  changed(1);
  t.match(progress, { pending: 1, lastEventMs: undefined });
});

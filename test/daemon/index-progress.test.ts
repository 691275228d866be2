import t from 'tap';
import type { SubPath } from '../../src/core/paths.ts';
import { IndexProgress } from '../../src/daemon/index-progress.ts';
import type { LiveDocsMessage } from '../../src/ingest/live-docs-message.ts';

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
  progress.take({ type: 'failed', code: 'EIO', reason: 'the disk is full' });
  t.match(progress, { pending: 1, lagMs: 500, lastIndexedMs: undefined });
});

t.test('documents that wait are counted where there are more than paths that changed', async (t) => {
  const { progress, changed } = subject();
  progress.take({ type: 'progress', progress: { done: 3, total: 9 } });
  changed(1, 1000);
  progress.take({ type: 'indexing', paths: 1 });
  t.equal(progress.pending, 1, 'nothing is found of them yet');
  progress.take({ type: 'progress', progress: { done: 300, total: 15_000 } });
  t.equal(progress.pending, 14_700);
  changed(2, 1100);
  t.equal(progress.pending, 14_702);
  progress.take({ type: 'progress', progress: { done: 15_000, total: 15_000 } });
  t.equal(progress.pending, 3, 'it is not whole yet');
  progress.take(INDEXED);
  t.equal(progress.pending, 2);
  progress.take({ type: 'indexing', paths: 2 });
  progress.take({ type: 'progress', progress: { done: 0, total: 50 } });
  progress.take({ type: 'failed', code: 'EIO', reason: 'the disk is full' });
  t.equal(progress.pending, 2);
});

t.test('what may have changed unseen is no event', async (t) => {
  const { progress, changed } = subject();
  changed(1);
  t.match(progress, { pending: 1, lastEventMs: undefined });
});

t.test('what is told of the reading and of the watch is shown, until the next is', async (t) => {
  const { clock, progress, changed } = subject();
  t.match(progress, { done: 0, total: 0, watch: undefined });
  for (const done of [1, 2]) {
    progress.take({ type: 'progress', progress: { done, total: 3 } });
    t.match(progress, { done, total: 3 });
  }
  for (const state of [{ kind: 'watching' }, { kind: 'missing', reason: 'gone' }] as const) {
    progress.take({ type: 'watch', state });
    t.same(progress.watch, state);
  }
  changed(1, 1000);
  changed(2);
  t.equal(progress.lastEventMs, 1000, 'the last that was seen');
  progress.take({ type: 'indexing', paths: 2 });
  progress.take({ type: 'failed', code: 'EIO', reason: 'the disk is full' });
  clock.ms = 1500;
  progress.take({ type: 'indexing', paths: 2 });
  progress.take(INDEXED);
  clock.ms = 1600;
  changed(1, 1600);
  clock.ms = 1650;
  t.equal(progress.lagMs, 50, 'what failed once is in the index by now');
});

t.test('what fails beside newer changes has waited for as long as it has', async (t) => {
  const { clock, progress, changed } = subject();
  changed(1, 1000);
  clock.ms = 1200;
  progress.take({ type: 'indexing', paths: 1 });
  changed(1, 1200);
  progress.take({ type: 'failed', code: 'EIO', reason: 'the disk is full' });
  clock.ms = 1300;
  t.match(progress, { pending: 2, lagMs: 300 });
  progress.take({ type: 'indexing', paths: 2 });
  progress.take(INDEXED);
  progress.take({ type: 'failed', code: 'EIO', reason: 'nothing was read' });
  t.match(progress, { pending: 0, lagMs: 0 });
});

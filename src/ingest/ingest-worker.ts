import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { systemClock } from '../core/clock.ts';
import { reasonOf } from '../core/errors.ts';
import { openStore } from '../store/store.ts';
import { type IndexProgress, type IndexResult, updateIndex } from './indexer.ts';
import { type DocsWatch, watchDocs } from './watch.ts';

/** What the thread is started with. */
export interface IngestTask {
  /** Absolute. */
  readonly docs: string;
  readonly indexFile: string;
  /** Folders inside the docs root that are no docs: the state folder, the mount point. Absolute. */
  readonly excluded: readonly string[];
  readonly maxBytes: number;
}

/** What the thread tells, in order. */
export type IngestMessage =
  | { readonly type: 'progress'; readonly progress: IndexProgress }
  | { readonly type: 'indexed'; readonly result: IndexResult; readonly durationMs: number }
  | { readonly type: 'failed'; readonly reason: string }
  /** Something on disk changed, at this time; `indexed` follows. */
  | { readonly type: 'disk-changed'; readonly atMs: number }
  | { readonly type: 'watching' }
  | { readonly type: 'watch-ended'; readonly reason: string };

async function run(port: MessagePort, task: IngestTask): Promise<void> {
  const tell = (message: IngestMessage) => port.postMessage(message);
  const store = openStore(task.indexFile);

  const stopping = new AbortController();

  async function update(): Promise<void> {
    const startMs = performance.now();
    try {
      const result = await updateIndex({
        ...task,
        store,
        clock: systemClock,
        signal: stopping.signal,
        onProgress: (progress) => tell({ type: 'progress', progress }),
      });
      tell({ type: 'indexed', result, durationMs: performance.now() - startMs });
    } catch (error) {
      tell({ type: 'failed', reason: reasonOf(error) });
    }
  }

  const updates = oneAtATime(update);
  // Watching begins before the first walk, so that nothing falls between the two.
  const watch = await startWatch(task, tell, updates.request);
  updates.request();
  port.once('message', () => {
    stopping.abort();
    void Promise.all([watch?.close(), updates.idle()]).finally(() => {
      store.close();
      port.close();
    });
  });
}

/** Runs an action again and again as requested, never twice at once; requests during a run become one more run. */
function oneAtATime(action: () => Promise<void>): { request: () => void; idle: () => Promise<void> } {
  let running: Promise<void> | undefined;
  let isWanted = false;
  async function run(): Promise<void> {
    while (isWanted) {
      isWanted = false;
      await action();
    }
    running = undefined;
  }
  return {
    request() {
      isWanted = true;
      running ??= run();
    },
    idle: async () => running,
  };
}

/** A docs folder that cannot be watched is served all the same; status.json says that it is not followed. */
async function startWatch(
  task: IngestTask,
  tell: (message: IngestMessage) => void,
  update: () => void,
): Promise<DocsWatch | undefined> {
  try {
    const watch = await watchDocs({
      docs: task.docs,
      excluded: task.excluded,
      onChange: () => {
        tell({ type: 'disk-changed', atMs: systemClock.nowMs() });
        update();
      },
      onEnd: (reason) => tell({ type: 'watch-ended', reason }),
    });
    tell({ type: 'watching' });
    return watch;
  } catch (error) {
    tell({ type: 'watch-ended', reason: reasonOf(error) });
    return undefined;
  }
}

if (parentPort !== null) await run(parentPort, workerData);

import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { systemClock } from '../core/clock.ts';
import { reasonOf } from '../core/errors.ts';
import { openStore } from '../store/store.ts';
import { excludeFolders } from './exclude.ts';
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
  const exclude = excludeFolders(task.docs, task.excluded);

  function update(): void {
    const startMs = performance.now();
    try {
      const result = updateIndex({
        store,
        docs: task.docs,
        exclude,
        maxBytes: task.maxBytes,
        clock: systemClock,
        onProgress: (progress) => tell({ type: 'progress', progress }),
      });
      tell({ type: 'indexed', result, durationMs: performance.now() - startMs });
    } catch (error) {
      tell({ type: 'failed', reason: reasonOf(error) });
    }
  }

  // Watching begins before the first walk, so that nothing falls between the two.
  const watch = await startWatch(task, tell, update);
  update();
  port.once('message', () => {
    void closeWatch(watch).finally(() => {
      store.close();
      port.close();
    });
  });
}

async function closeWatch(watch: DocsWatch | undefined): Promise<void> {
  await watch?.close();
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

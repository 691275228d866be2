import { Worker } from 'node:worker_threads';
import type { IngestMessage, IngestTask } from './ingest-worker.ts';

/** The thread that keeps the index equal to the docs on disk. */
export interface IngestThread {
  /** Ends the thread, after the batch it is at. Resolves when it has ended. */
  stop(): Promise<void>;
}

/**
 * Starts reading the docs in a thread of its own.
 * @param onMessage called for each message, in order
 * @param onCrash called where the thread ends by an error of ours, never for what is wrong with docs or store
 */
export function startIngest(
  task: IngestTask,
  onMessage: (message: IngestMessage) => void,
  onCrash: (error: unknown) => void,
): IngestThread {
  const worker = new Worker(new URL('./ingest-worker.js', import.meta.url), { workerData: task });
  worker.on('message', (message: IngestMessage) => onMessage(message));
  worker.on('error', onCrash);
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  return {
    async stop() {
      worker.postMessage('stop');
      await ended;
    },
  };
}

import { Worker, type WorkerOptions } from 'node:worker_threads';

/**
 * Starts a thread of this program, which has to close what it opens. Node would otherwise close, at the end of the thread, each descriptor that `fs` opened
 * there and did not close. But some are closed by close(2) directly (`system/files.ts`), and by then their numbers stand for files of other threads.
 */
export function startThread(module: URL, options: Omit<WorkerOptions, 'trackUnmanagedFds'>): Worker {
  return new Worker(module, { ...options, trackUnmanagedFds: false });
}

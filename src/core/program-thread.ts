import { Worker, type WorkerOptions } from 'node:worker_threads';

/**
 * Starts a thread of this program, which closes what it has opened. At the end of a thread Node closes each number that `fs` has opened in it and not
 * closed; what was closed by close(2) itself (`system/files.ts`) is another file by then, of another thread.
 */
export function startThread(module: URL, options: Omit<WorkerOptions, 'trackUnmanagedFds'>): Worker {
  return new Worker(module, { ...options, trackUnmanagedFds: false });
}

/** As a shell reports what SIGINT has ended. */
export const INTERRUPTED = 130;

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** Does something that Ctrl-C stops, in order: it is told, and has its own way to end. A second Ctrl-C ends the process as always. */
export async function interruptible<T>(run: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stopping = new AbortController();
  const stop = (): void => stopping.abort();
  for (const name of SIGNALS) process.once(name, stop);
  try {
    return await run(stopping.signal);
  } finally {
    for (const name of SIGNALS) process.off(name, stop);
  }
}

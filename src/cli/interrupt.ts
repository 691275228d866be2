const SIGNALS = ['SIGINT', 'SIGTERM'] as const;
const ENDING_SIGNALS = [...SIGNALS, 'SIGHUP'] as const;

/** Runs something that Ctrl-C stops in an orderly way: the first Ctrl-C aborts the signal, a second one ends the process as usual. */
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

/** Runs something that would leave files behind if a signal ended it: they are removed first. A second signal ends the process at once. */
export async function leavingNothing<T>(removeFiles: () => void, run: () => Promise<T>): Promise<T> {
  const end = (signal: NodeJS.Signals): void => {
    try {
      removeFiles();
    } finally {
      process.kill(process.pid, signal);
    }
  };
  for (const name of ENDING_SIGNALS) process.once(name, end);
  try {
    return await run();
  } finally {
    for (const name of ENDING_SIGNALS) process.off(name, end);
  }
}

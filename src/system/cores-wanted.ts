import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { systemCodeOf } from '../core/errors.ts';

/** Threads that run or could, of all that there are: the fourth field of /proc/loadavg, proc(5). */
const RUNNABLE = /^(?:\S+ ){3}(\d+)\//;

let cores: number | undefined;

/** Whether some program waits for a core: of the machine's threads more could run than it has cores. Nobody does where no kernel tells it. */
export function areCoresWanted(): boolean {
  // All of them, also where this process may use one alone: threads are counted wherever they are.
  cores ??= cpus().length;
  return runnableThreads() > cores;
}

/** This one is among them. */
function runnableThreads(): number {
  try {
    return Number(RUNNABLE.exec(readFileSync('/proc/loadavg', 'latin1'))?.[1] ?? 0);
  } catch (error) {
    // Other systems than Linux have no such file.
    if (systemCodeOf(error) === 'ENOENT') return 0;
    throw error;
  }
}

import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';

/** Threads that run or could, of all that there are, this one among them: the fourth field of /proc/loadavg, proc(5). */
const RUNNABLE = /^(?:\S+ ){3}(\d+)\//;

let cores: number | undefined;

/** Whether some program waits for a core: of the machine's threads more could run than it has cores. Told by Linux alone; elsewhere nobody does. */
export function areCoresWanted(): boolean {
  if (process.platform !== 'linux') return false;
  // All of them, also where this process may use one alone: threads are counted wherever they are.
  cores ??= cpus().length;
  return Number(RUNNABLE.exec(readFileSync('/proc/loadavg', 'latin1'))?.[1] ?? 0) > cores;
}

import { setTimeout } from 'node:timers';

/** Who does not end when asked is ended. */
const END_WITHIN_MS = 500;

/** Ends processes that a module started, by what it told of them; they are no longer in the set then. */
export function endProcesses(pids: Set<number>): void {
  const ending = [...pids];
  pids.clear();
  const left = ending.filter((pid) => signal(pid, 'SIGTERM'));
  if (left.length === 0) return;
  setTimeout(() => {
    for (const pid of left) signal(pid, 'SIGKILL');
  }, END_WITHIN_MS);
}

/** @returns whether there was such a process */
function signal(pid: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}

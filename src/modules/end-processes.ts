import { readFileSync } from 'node:fs';
import { clearInterval, setInterval } from 'node:timers';

/** Who does not end when asked is ended. */
const END_WITHIN_MS = 500;
const LOOK_EVERY_MS = 25;

/** Ends processes that a module started, by what it told of them; they are no longer in the set then. This process waits for their end. */
export function endProcesses(pids: Set<number>): void {
  const ending = [...pids].filter((pid) => signal(pid, 'SIGTERM'));
  pids.clear();
  if (ending.length === 0) return;
  const endMs = performance.now() + END_WITHIN_MS;
  const endNow = () => {
    for (const pid of ending.filter(isRunning)) signal(pid, 'SIGKILL');
  };
  // Who ends this process all the same leaves none behind.
  process.once('exit', endNow);
  const timer = setInterval(() => {
    if (ending.some(isRunning) && performance.now() < endMs) return;
    clearInterval(timer);
    process.off('exit', endNow);
    endNow();
  }, LOOK_EVERY_MS);
}

/** @returns whether there was such a process */
function signal(pid: number, name: NodeJS.Signals): boolean {
  // 0 and below are whole groups, that of this process among them: kill(2).
  if (pid <= 0) return false;
  try {
    return process.kill(pid, name);
  } catch {
    // It has ended, or it is nobody's that may be ended.
    return false;
  }
}

/** One that nobody has taken notice of after its end is in /proc still: proc_pid_stat(5), state Z. */
function isRunning(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return !/^[ZX]/.test(stat.slice(stat.lastIndexOf(')') + 2));
  } catch {
    // It has gone.
    return false;
  }
}

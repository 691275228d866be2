import { readdirSync, readFileSync } from 'node:fs';
import { systemCodeOf } from '../../src/core/errors.ts';

const LIMIT_MS = 30_000;
const POLL_MS = 1;

/**
 * Stops a process until it is sent SIGCONT, and returns once none of its threads does anything more. kill(2) returns before that: on a busy machine, the thread
 * that takes the signal has to be run first, and the others serve requests meanwhile.
 * @throws Error if a thread goes on for half a minute
 */
export function stopProcess(pid: number): void {
  process.kill(pid, 'SIGSTOP');
  const endMs = performance.now() + LIMIT_MS;
  const clock = new Int32Array(new SharedArrayBuffer(4));
  while (!statesOf(pid).every((state) => /[TtDZX]/.test(state))) {
    if (performance.now() > endMs) throw new Error(`process ${pid} does not stop`);
    Atomics.wait(clock, 0, 0, POLL_MS);
  }
}

/** The states of its threads, as in proc_pid_stat(5). A thread that waits where no signal reaches it (D) stops before it returns to its program. */
function statesOf(pid: number): string[] {
  return readdirSync(`/proc/${pid}/task`).map((thread) => {
    const stat = statOf(`/proc/${pid}/task/${thread}/stat`);
    return stat.slice(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3);
  });
}

function statOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    // The thread has ended since it was listed.
    if (systemCodeOf(error) === undefined) throw error;
    return ') X';
  }
}

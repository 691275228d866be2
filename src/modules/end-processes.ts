import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { clearInterval, setInterval } from 'node:timers';
import { systemCodeOf } from '../core/errors.ts';

/** A process that has not ended this long after it was asked to is killed. */
const END_WITHIN_MS = 500;
const LOOK_EVERY_MS = 25;

/** Processes that a module has reported as started. One may end long before the module does, and its pid go to another process, which is left alone then. */
export class StartedProcesses {
  /** When each process began, by its pid; undefined until that is known. */
  readonly #begun = new Map<number, string | undefined>();

  add(pid: number): void {
    this.#begun.set(pid, undefined);
    // Reads asynchronously, in another thread: the kernel blocks a reader of this file during execve(2).
    readFile(statFile(pid), 'utf8').then(
      (stat) => {
        if (this.#begun.has(pid)) this.#begun.set(pid, beginningIn(stat));
      },
      () => this.#begun.delete(pid),
    );
  }

  /** Ends all of them, and forgets them. This process does not exit before they have ended. */
  end(): void {
    const isStill = (pid: number, begun: string | undefined) =>
      begun === undefined || begun === beginningIn(statOf(pid));
    const ending = [...this.#begun].flatMap(([pid, begun]) =>
      isStill(pid, begun) && signal(pid, 'SIGTERM') ? [pid] : [],
    );
    this.#begun.clear();
    if (ending.length > 0) killInTime(ending);
  }
}

function killInTime(ending: readonly number[]): void {
  const endMs = performance.now() + END_WITHIN_MS;
  const endNow = () => {
    for (const pid of ending.filter(isRunning)) signal(pid, 'SIGKILL');
  };
  // If this process exits before that, it kills them.
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
  // A pid of 0 or below means a whole group, perhaps that of this process: kill(2).
  if (pid <= 0) return false;
  try {
    return process.kill(pid, name);
  } catch {
    // It has ended, or this user may not end it.
    return false;
  }
}

/** A process that has ended is still in /proc until its parent has waited for it: proc_pid_stat(5), state Z. */
function isRunning(pid: number): boolean {
  const stat = statOf(pid);
  return stat !== '' && !/^[ZX]/.test(fieldsOf(stat)[0] ?? '');
}

/** The line of a process in /proc; empty if it has ended. */
function statOf(pid: number): string {
  try {
    return readFileSync(statFile(pid), 'utf8');
  } catch (error) {
    if (systemCodeOf(error) === undefined) throw error;
    // It has ended, or another user's /proc is hidden, whose processes cannot be ended either.
    return '';
  }
}

function statFile(pid: number): string {
  return `/proc/${pid}/stat`;
}

/** The `starttime` of proc_pid_stat(5), which tells a process from a later one with the same pid. */
function beginningIn(stat: string): string | undefined {
  return fieldsOf(stat)[19];
}

/** The fields from the state on. The name of the program stands before it, and may contain any character. */
function fieldsOf(stat: string): string[] {
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

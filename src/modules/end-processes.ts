import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { clearInterval, setInterval } from 'node:timers';

/** Who does not end when asked is ended. */
const END_WITHIN_MS = 500;
const LOOK_EVERY_MS = 25;

/** Processes that a module told of. One may end long before the module does, and its number be another's by then: that one is let alone. */
export class StartedProcesses {
  /** By number, when each began; undefined as long as that is not known. */
  readonly #begun = new Map<number, string | undefined>();

  add(pid: number): void {
    this.#begun.set(pid, undefined);
    // By another thread: the kernel has who reads it wait for an exec(2).
    readFile(statFile(pid), 'utf8').then(
      (stat) => {
        if (this.#begun.has(pid)) this.#begun.set(pid, beginningIn(stat));
      },
      () => this.#begun.delete(pid),
    );
  }

  /** They are no longer known then. This process waits for their end. */
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
  const stat = statOf(pid);
  return stat !== '' && !/^[ZX]/.test(fieldsOf(stat)[0] ?? '');
}

/** Empty where it has gone. */
function statOf(pid: number): string {
  try {
    return readFileSync(statFile(pid), 'utf8');
  } catch {
    return '';
  }
}

function statFile(pid: number): string {
  return `/proc/${pid}/stat`;
}

/** The `starttime` of proc_pid_stat(5), which tells a process from the next of its number. */
function beginningIn(stat: string): string | undefined {
  return fieldsOf(stat)[19];
}

/** From the state on: before it stands the name of the program, which may have any character. */
function fieldsOf(stat: string): string[] {
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

import { readdirSync, readFileSync } from 'node:fs';

export interface RunningProcess {
  readonly pid: number;
  readonly parentPid: number;
  readonly name: string;
  /** With its meaning, such as `S (sleeping)`: proc_pid_status(5). */
  readonly state: string;
}

/** The processes that a process has begun, and those that these have begun, as long as each one's parent runs. Empty where there is no /proc. */
export function descendantsOf(pid: number): RunningProcess[] {
  const all = runningProcesses();
  const found = new Set(all.filter(({ parentPid }) => parentPid === pid));
  // A walk over a set includes what is added meanwhile.
  for (const one of found) {
    for (const other of all) if (other.parentPid === one.pid) found.add(other);
  }
  return [...found];
}

function runningProcesses(): RunningProcess[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((name) => processOf(Number(name)));
  } catch {
    // Without /proc, nothing is known of other processes.
    return [];
  }
}

/** Of all files of a process this one can always be read: the kernel blocks a reader of `stat` while the process hangs in execve(2). */
function processOf(pid: number): RunningProcess[] {
  try {
    const text = readFileSync(`/proc/${pid}/status`, 'utf8');
    const field = (name: string) => new RegExp(`^${name}:\\s*(.*)$`, 'm').exec(text)?.[1] ?? '';
    return [{ pid, parentPid: Number(field('PPid')), name: field('Name'), state: field('State') }];
  } catch {
    // It has ended.
    return [];
  }
}

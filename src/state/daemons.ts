import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StateFolder } from './state-folder.ts';
import { toldStatusFile } from './told-status.ts';

/** A daemon that keeps a state folder's index up to date. */
export interface DaemonRecord {
  readonly pid: number;
  /** Start of the process in clock ticks since boot: a number reused for another process has another. */
  readonly startTicks: string;
  /** Null for a daemon without a mount. */
  readonly mountpoint: string | null;
  /** The docs root. */
  readonly docs: string;
  /** What of the docs is chosen; undefined for a daemon of an older version. */
  readonly choice?: string;
  /** Stands for the modules that it has; undefined for a daemon of an older version. */
  readonly modules?: string;
}

const RECORD_SUFFIX = '.json';

/** Notes this process as a daemon of the state folder, until the returned function is called. */
export function registerDaemon(
  state: StateFolder,
  { mountpoint, docs, choice, modules }: Omit<DaemonRecord, 'pid' | 'startTicks'>,
): () => void {
  const startTicks = startTicksOf(process.pid);
  if (startTicks === undefined) throw new Error('this process is not in /proc');
  const record: DaemonRecord = {
    pid: process.pid,
    startTicks,
    mountpoint,
    docs,
    ...(choice === undefined ? {} : { choice }),
    ...(modules === undefined ? {} : { modules }),
  };
  const file = recordFile(state, String(process.pid));
  writeFileSync(file, JSON.stringify(record), { mode: 0o600 });
  return () => forget(state, String(process.pid));
}

/** Daemons of the state folder that are alive. Records of dead ones are removed. */
export function liveDaemons(state: StateFolder): DaemonRecord[] {
  return recordNames(state).flatMap((name) => {
    const record = readRecord(join(state.daemonsFolder, name));
    if (record !== undefined && isAlive(record)) return [record];
    forget(state, name.slice(0, -RECORD_SUFFIX.length));
    return [];
  });
}

/** Names of records that no live daemon stands behind. */
export function staleRecords(state: StateFolder): string[] {
  return recordNames(state).filter((name) => {
    const record = readRecord(join(state.daemonsFolder, name));
    return record === undefined || !isAlive(record);
  });
}

/** The daemon that runs without a mount: of those that start at once one is let. */
export function unmountedDaemon(state: StateFolder): DaemonRecord | undefined {
  return liveDaemons(state).find(({ mountpoint }) => mountpoint === null);
}

/** For a sentence: `mounted at /home/ana/ctx`, `without a mount (pid 12)`. */
export function daemonPlace({ mountpoint, pid }: DaemonRecord): string {
  return mountpoint === null ? `without a mount (pid ${pid})` : `mounted at ${mountpoint}`;
}

/** Whether the very process of the record still runs. */
export function isAlive({ pid, startTicks }: Pick<DaemonRecord, 'pid' | 'startTicks'>): boolean {
  return startTicksOf(pid) === startTicks;
}

/** @param pid or what stands there in the name of a record */
function forget(state: StateFolder, pid: string): void {
  rmSync(recordFile(state, pid), { force: true });
  rmSync(toldStatusFile(state, pid), { force: true });
}

function recordFile(state: StateFolder, pid: string): string {
  return join(state.daemonsFolder, `${pid}${RECORD_SUFFIX}`);
}

function recordNames(state: StateFolder): string[] {
  try {
    return readdirSync(state.daemonsFolder).filter((name) => name.endsWith(RECORD_SUFFIX));
  } catch {
    // No folder yet means no daemon was ever started.
    return [];
  }
}

function readRecord(file: string): DaemonRecord | undefined {
  try {
    return recordOf(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    // Half written, or removed by its owner just now: either way no live daemon stands behind it.
    return undefined;
  }
}

/** Checked by hand: every command looks for daemons, and to load zod takes longer than what many of them do. */
function recordOf(value: unknown): DaemonRecord | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const record: Partial<Record<keyof DaemonRecord, unknown>> = value;
  const { pid, startTicks, mountpoint, docs, choice, modules } = record;
  const isRecord =
    Number.isSafeInteger(pid) &&
    typeof pid === 'number' &&
    pid > 0 &&
    typeof startTicks === 'string' &&
    (mountpoint === null || typeof mountpoint === 'string') &&
    typeof docs === 'string';
  if (!isRecord) return undefined;
  return {
    pid,
    startTicks,
    mountpoint,
    docs,
    ...(typeof choice === 'string' ? { choice } : {}),
    ...(typeof modules === 'string' ? { modules } : {}),
  };
}

/** Field 22 of /proc/PID/stat, proc_pid_stat(5); undefined where there is no such process, or only what a parent left unread. */
export function startTicksOf(pid: number): string | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? undefined : fields[19];
  } catch {
    // The process is gone.
    return undefined;
  }
}

import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { StateFolder } from './state-folder.ts';

const recordSchema = z.object({
  pid: z.int().positive(),
  /** Start of the process in clock ticks since boot: a number reused for another process has another. */
  startTicks: z.string(),
  mountpoint: z.string(),
  docs: z.string(),
});

/** A daemon that keeps a state folder's index up to date. */
export type DaemonRecord = z.infer<typeof recordSchema>;

/** Notes this process as a daemon of the state folder, until the returned function is called. */
export function registerDaemon(state: StateFolder, mountpoint: string, docs: string): () => void {
  const startTicks = startTicksOf(process.pid);
  if (startTicks === undefined) throw new Error('this process is not in /proc');
  const record: DaemonRecord = { pid: process.pid, startTicks, mountpoint, docs };
  const file = recordFile(state, process.pid);
  writeFileSync(file, JSON.stringify(record), { mode: 0o600 });
  return () => rmSync(file, { force: true });
}

/** Daemons of the state folder that are alive. Records of dead ones are removed. */
export function liveDaemons(state: StateFolder): DaemonRecord[] {
  return recordNames(state).flatMap((name) => {
    const record = readRecord(join(state.daemonsFolder, name));
    if (record !== undefined && isAlive(record)) return [record];
    rmSync(join(state.daemonsFolder, name), { force: true });
    return [];
  });
}

/** Whether the very process of the record still runs. */
export function isAlive({ pid, startTicks }: Pick<DaemonRecord, 'pid' | 'startTicks'>): boolean {
  return startTicksOf(pid) === startTicks;
}

function recordFile(state: StateFolder, pid: number): string {
  return join(state.daemonsFolder, `${pid}.json`);
}

function recordNames(state: StateFolder): string[] {
  try {
    return readdirSync(state.daemonsFolder).filter((name) => name.endsWith('.json'));
  } catch {
    // No folder yet means no daemon was ever started.
    return [];
  }
}

function readRecord(file: string): DaemonRecord | undefined {
  try {
    return recordSchema.safeParse(JSON.parse(readFileSync(file, 'utf8'))).data;
  } catch {
    // Half written, or removed by its owner just now: either way no live daemon stands behind it.
    return undefined;
  }
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

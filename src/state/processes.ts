import { readFileSync, readlinkSync } from 'node:fs';
import { refuseToGuess } from './unsure.ts';

/** Identifies one process among all that ever ran. */
export interface KnownProcess {
  readonly pid: number;
  /**
   * When the process began, in clock ticks since boot, which tells it from a later one with the same pid. Then, after spaces, the boot and the pid namespace in
   * which both numbers hold: elsewhere the same numbers mean another process. Older versions wrote the ticks alone.
   */
  readonly startTicks: string;
}

/** Stands for a boot or a namespace that /proc does not tell. */
const UNKNOWN = '-';

/** @throws Error if this process is not in /proc */
export function thisProcess(): KnownProcess {
  const ticks = startTicksOf(process.pid);
  if (ticks === undefined) throw new Error('this process is not in /proc');
  return { pid: process.pid, startTicks: `${ticks} ${placeHere()}` };
}

/** The process of this container that has a pid now; undefined if there is none. */
export function processHere(pid: number): KnownProcess | undefined {
  const ticks = startTicksOf(pid);
  return ticks === undefined ? undefined : { pid, startTicks: `${ticks} ${placeHere()}` };
}

/**
 * Whether that very process still runs. `elsewhere`: its pid is of another pid namespace, such as a container's, or of another boot, and means nothing here.
 */
export function stateOfProcess({ pid, startTicks }: KnownProcess): 'alive' | 'dead' | 'elsewhere' {
  const { ticks, place } = partsOf(startTicks);
  if (place !== undefined && place !== placeHere()) return 'elsewhere';
  return startTicksOf(pid) === ticks ? 'alive' : 'dead';
}

/** Whether the process is of another pid namespace, or of another boot, so that no signal reaches it from here. */
export function isElsewhere(process: KnownProcess): boolean {
  return stateOfProcess(process) === 'elsewhere';
}

/** A file name for a process. It is unique even if two processes have the same pid in their containers. */
export function nameOfProcess({ pid, startTicks }: KnownProcess): string {
  const { ticks, namespace } = partsOf(startTicks);
  const digits = (text = '') => text.replace(/\D/g, '');
  return namespace === undefined ? String(pid) : `${pid}-${digits(ticks)}-${digits(namespace)}`;
}

/** Whether the process belongs to an earlier boot, and so has certainly ended. */
export function isOfEarlierBoot({ startTicks }: KnownProcess): boolean {
  const { boot = UNKNOWN } = partsOf(startTicks);
  return boot !== UNKNOWN && bootHere() !== UNKNOWN && boot !== bootHere();
}

/**
 * Field 22 of /proc/PID/stat, see proc_pid_stat(5). Undefined if there is no such process, or only a zombie whose threads have all ended.
 * @throws the system's error if that cannot be known, as do all functions here that look for a process
 */
export function startTicksOf(pid: number): string | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    // When a process is killed, its first thread may end before the others. All locks and mounts are held until the last thread has ended.
    const hasEnded = fields[0] === 'Z' && Number(fields[17]) <= 1;
    return hasEnded ? undefined : fields[19];
  } catch (error) {
    refuseToGuess(error);
    // The process is gone.
    return undefined;
  }
}

function partsOf(startTicks: string) {
  const [ticks, boot, namespace] = startTicks.split(' ');
  return { ticks, boot, namespace, place: boot === undefined ? undefined : `${boot} ${namespace}` };
}

let place: string | undefined;

/** The boot and the pid namespace of this process. */
function placeHere(): string {
  place ??= `${bootHere()} ${told(() => readlinkSync('/proc/self/ns/pid'))}`;
  return place;
}

let boot: string | undefined;

function bootHere(): string {
  boot ??= told(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8'));
  return boot;
}

function told(read: () => string): string {
  try {
    return read().trim() || UNKNOWN;
  } catch (error) {
    refuseToGuess(error);
    // Not every sandbox has all of /proc. There, pid and ticks have to be enough.
    return UNKNOWN;
  }
}

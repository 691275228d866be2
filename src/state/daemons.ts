import {
  closeSync,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { EXIT, systemCodeOf, UserError } from '../core/errors.ts';
import { PRIVATE_FILE_MODE } from '../core/file-modes.ts';
import { MOUNT_TYPE } from '../core/mount-type.ts';
import { removeFile } from '../disk/remove.ts';
import { tryLock } from '../system/file-lock.ts';
import { mountPointsOf } from '../system/mount-info.ts';
import {
  isElsewhere,
  isOfEarlierBoot,
  type KnownProcess,
  nameOfProcess,
  stateOfProcess,
  thisProcess,
} from './processes.ts';
import { RECORD_SUFFIX, recordFile } from './record-file.ts';
import { removeWhereWritable } from './removal.ts';
import { type StateFolder, unusable } from './state-folder.ts';
import { toldStatusFile } from './told-status.ts';
import { refuseToGuess } from './unsure.ts';

/** A daemon that keeps the index of a state folder up to date. */
export interface DaemonRecord extends KnownProcess {
  /** Null for a daemon without a mount. */
  readonly mountpoint: string | null;
  /** The docs roots as they were when it began, in the form of `docsText`. */
  readonly docs: string;
  /** The paths by which it finds them. Undefined for a daemon of an older version. */
  readonly ways?: readonly DocsWay[];
  /** Which files of the docs are chosen, in the form of `choiceText`; undefined for a daemon of an older version. */
  readonly choice?: string;
  /** Identifies the configuration of its modules; undefined for a daemon of an older version. */
  readonly modules?: string;
  /** The user whose config file was part of that, and the file. Another user cannot tell whether it has changed. */
  readonly ownConfig?: string;
  /** The inode number of the record's own file, which differs in a copy of the state folder. Undefined for a daemon of an older version. */
  readonly inode?: string;
}

/** The path by which a docs root with this name is found. Its links may come to lead elsewhere. */
export type DocsWay = readonly [name: string, way: string];

/** What identifies the configuration of a daemon's modules. */
export type ConfiguredModules = Pick<DaemonRecord, 'modules' | 'ownConfig'>;

/**
 * Registers this process as a daemon of the state folder, until the returned function is called. The record appears as a whole, and stays locked as long as
 * this process lives: in other containers, only the lock tells that it lives.
 * @throws UserError if the record cannot be written
 */
export function registerDaemon(
  state: StateFolder,
  { mountpoint, docs, ways, choice, modules, ownConfig }: Omit<DaemonRecord, keyof KnownProcess | 'inode'>,
): () => void {
  const self = thisProcess();
  const record: DaemonRecord = {
    ...self,
    mountpoint,
    docs,
    ...(ways === undefined ? {} : { ways }),
    ...(choice === undefined ? {} : { choice }),
    ...(modules === undefined ? {} : { modules }),
    ...(ownConfig === undefined ? {} : { ownConfig }),
  };
  const name = nameOfProcess(self);
  const file = recordFile(state, name);
  const descriptor = openNew(state, `${file}.new`);
  try {
    tryLock(descriptor, 'alone');
    const inode = String(fstatSync(descriptor, { bigint: true }).ino);
    writeFileSync(descriptor, JSON.stringify({ ...record, inode } satisfies DaemonRecord));
    renameSync(`${file}.new`, file);
  } catch (error) {
    closeSync(descriptor);
    removeFile(`${file}.new`);
    throw unusable(state, error);
  }
  return () => {
    forget(state, name);
    closeSync(descriptor);
  };
}

function openNew(state: StateFolder, file: string): number {
  try {
    return openSync(file, 'w', PRIVATE_FILE_MODE);
  } catch (error) {
    if (systemCodeOf(error) !== 'EACCES') throw unusable(state, error);
    const folder = state.daemonsFolder;
    const wayOut = `open it to yourself with "chmod u+rwx ${folder}", or choose another state folder with --state`;
    throw new UserError(
      `${folder}: no record of a daemon can be written there (EACCES); ${wayOut}`,
      EXIT.failed,
      {
        cause: error,
      },
    );
  }
}

/**
 * The live daemons of the state folder, in any container. Also removes the records of dead daemons whose mounts are gone, and those that were copied with the
 * folder.
 * @throws the system's error if it cannot be known which daemons live: none is taken for dead by a guess
 */
export function liveDaemons(state: StateFolder): DaemonRecord[] {
  const { live, stale } = records(state);
  for (const name of stale) forget(state, name.slice(0, -RECORD_SUFFIX.length));
  return live;
}

/** As `liveDaemons`, but removes nothing. */
export function daemonsAtWork(state: StateFolder): DaemonRecord[] {
  return records(state).live;
}

/**
 * Mount points that daemons of this state folder, which were killed, have left behind: a mount of ours is still there, and no live daemon of the folder has it.
 */
export function leftMountpoints(state: StateFolder): string[] {
  return records(state).left;
}

/** Names of records whose daemon is dead and whose mount is gone. */
export function staleRecords(state: StateFolder): string[] {
  return records(state).stale;
}

/** The daemon that runs without a mount. A state folder has at most one. */
export function unmountedDaemon(state: StateFolder): DaemonRecord | undefined {
  return liveDaemons(state).find(({ mountpoint }) => mountpoint === null);
}

/** Describes a daemon as a part of a sentence: `mounted at /home/ana/ctx`, `without a mount (pid 12)`. */
export function daemonPlace(daemon: DaemonRecord): string {
  const { mountpoint, pid } = daemon;
  if (isElsewhere(daemon))
    return `${mountpoint === null ? 'without a mount' : `mounted at ${mountpoint}`} in another container (pid ${pid} there)`;
  return mountpoint === null ? `without a mount (pid ${pid})` : `mounted at ${mountpoint}`;
}

/** Returns a test for whether that very process still runs, as a daemon of this state folder or as a process of this container. */
export function isAliveIn(state: StateFolder): (process: KnownProcess) => boolean {
  return (process) => isAlive(process, recordFile(state, nameOfProcess(process)));
}

/** Returns a test for whether that very process is now a daemon of this state folder, and not of a folder that this one is a copy of. */
export function isServedIn(state: StateFolder): (process: KnownProcess) => boolean {
  return (process) => {
    const file = recordFile(state, nameOfProcess(process));
    const record = readRecord(file);
    return record !== undefined && record.startTicks === process.startTicks && isAliveBy(record, file);
  };
}

interface Records {
  readonly live: DaemonRecord[];
  readonly stale: string[];
  readonly left: string[];
}

function records(state: StateFolder): Records {
  const live: DaemonRecord[] = [];
  const dead: { readonly name: string; readonly mountpoint: string | null }[] = [];
  for (const name of recordNames(state)) {
    const file = join(state.daemonsFolder, name);
    const record = readRecord(file);
    if (record !== undefined && isAliveBy(record, file)) live.push(record);
    else dead.push({ name, mountpoint: record?.mountpoint ?? null });
  }
  const hasDead = dead.some(({ mountpoint }) => mountpoint !== null);
  const mounted = new Set(hasDead ? mountPointsOf(MOUNT_TYPE) : []);
  for (const { mountpoint } of live) if (mountpoint !== null) mounted.delete(mountpoint);
  const isLeft = (mountpoint: string | null) => mountpoint !== null && mounted.has(mountpoint);
  return {
    live,
    stale: dead.flatMap(({ name, mountpoint }) => (isLeft(mountpoint) ? [] : [name])),
    left: [...new Set(dead.flatMap(({ mountpoint }) => mountpoint ?? []).filter(isLeft))],
  };
}

function isAliveBy(record: DaemonRecord, file: string): boolean {
  return isAlive(record, file) && !isCopied(record, file);
}

/** Whether a record came with a copy of the folder. On file systems that change inode numbers over time, the lock decides. */
function isCopied(record: DaemonRecord, file: string): boolean {
  const now = statSync(file, { bigint: true, throwIfNoEntry: false })?.ino;
  if (record.inode === undefined || now === undefined || record.inode === String(now)) return false;
  return !isHeld(record, file);
}

/** @param file the record of the process, which stays locked while it lives */
function isAlive(process: KnownProcess, file: string): boolean {
  const found = stateOfProcess(process);
  return found === 'elsewhere' ? isHeld(process, file) : found === 'alive';
}

function isHeld(process: KnownProcess, file: string): boolean {
  let descriptor: number;
  try {
    descriptor = openSync(file, 'r');
  } catch (error) {
    refuseToGuess(error);
    // The owner has removed it.
    return false;
  }
  try {
    const found = tryLock(descriptor, 'shared');
    // On a disk without locks, a process that may be alive counts as alive, so that nothing of it is taken away.
    return found === 'cannot say' ? !isOfEarlierBoot(process) : found === 'held';
  } finally {
    closeSync(descriptor);
  }
}

/** @param name the name of its record, without the ending */
function forget(state: StateFolder, name: string): void {
  for (const file of [recordFile(state, name), toldStatusFile(state, name)]) removeWhereWritable(file);
}

function recordNames(state: StateFolder): string[] {
  const { path, daemonsFolder } = state;
  try {
    // Files at the end of a link are not ours to tidy.
    if (![path, daemonsFolder].every((folder) => lstatSync(folder).isDirectory())) return [];
    return readdirSync(daemonsFolder).filter((name) => name.endsWith(RECORD_SUFFIX));
  } catch (error) {
    refuseToGuess(error);
    // Without this folder, no daemon was ever started.
    return [];
  }
}

function readRecord(file: string): DaemonRecord | undefined {
  try {
    return recordOf(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    refuseToGuess(error);
    // The record is damaged, or its owner has just removed it. Either way, no live daemon stands behind it.
    return undefined;
  }
}

/** Checks a record by hand: every command looks for daemons, and loading zod takes longer than what many of them do. */
function recordOf(value: unknown): DaemonRecord | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const record: Partial<Record<keyof DaemonRecord, unknown>> = value;
  const { pid, startTicks, mountpoint, docs, ways, choice, modules, ownConfig, inode } = record;
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
    ...(areWays(ways) ? { ways } : {}),
    ...(typeof choice === 'string' ? { choice } : {}),
    ...(typeof modules === 'string' ? { modules } : {}),
    ...(typeof ownConfig === 'string' ? { ownConfig } : {}),
    ...(typeof inode === 'string' ? { inode } : {}),
  };
}

function areWays(value: unknown): value is readonly DocsWay[] {
  return (
    Array.isArray(value) &&
    value.every(
      (way) => Array.isArray(way) && way.length === 2 && way.every((part) => typeof part === 'string'),
    )
  );
}

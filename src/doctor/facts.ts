import { execFile } from 'node:child_process';
import { existsSync, watch } from 'node:fs';
import { readFile, realpath, stat } from 'node:fs/promises';
import { arch, endianness, platform, release } from 'node:os';
import { reasonOf, systemCodeOf } from '../core/errors.ts';
import { MOUNT_TABLE, type OthersRule, othersRule, whyClosed, whyNoDevice } from '../fuse/host.ts';
import { whyLinuxCannotRun } from '../fuse/linux/requirements.ts';
import { koffi } from '../system/koffi.ts';
import { type StateFacts, stateFacts } from './state-facts.ts';
import { type Trial, tryMount } from './trial-mount.ts';

/** How a mount answers, as `MountAnswer` of the command line says. */
export type MountHealth = 'alive' | 'dead' | 'private' | 'silent';

/** What the machine and the user have for mounting. Reasons come with the way out. */
export interface Facts {
  readonly platform: string;
  readonly architecture: string;
  readonly isLittleEndian: boolean;
  readonly kernel: string;
  /** Such as `20.19.0`. */
  readonly nodeVersion: string;
  readonly isRoot: boolean;
  /** Whether this process, or a setuid program that it starts, can ever be allowed to mount: CAP_SYS_ADMIN, see capabilities(7). */
  readonly mayMount: boolean;
  /** Whether setuid programs gain nothing: `no_new_privs` of prctl(2). */
  readonly noNewPrivileges: boolean;
  readonly koffiProblem: string | undefined;
  /** Why no database can be opened, with the way out; undefined if one can. */
  readonly databaseProblem: string | undefined;
  readonly deviceProblem: string | undefined;
  readonly helper: Helper | undefined;
  /** If the helper exists but may not be run, why, with the way out. */
  readonly helperProblem: string | undefined;
  /** Whether the table of mounts exists in which fusermount3 looks for what an ordinary user unmounts. */
  readonly hasMountTable: boolean;
  /** Why `mount` does not use the Linux driver. */
  readonly linuxProblem: string | undefined;
  readonly trial: Trial;
  readonly nativeProblem: string | undefined;
  /** Whether ordinary users may let others into their mounts. */
  readonly others: OthersRule;
  readonly mounts: readonly { readonly point: string; readonly health: MountHealth }[];
  readonly state: StateFacts;
  /** Undefined if it is not known what the docs are. */
  readonly docs: DocsFacts | undefined;
  readonly hasGit: boolean;
  readonly inotify: InotifyFacts;
  /** Why vectors of texts cannot be stored and searched here; undefined if they can. */
  readonly vectorsProblem: string | undefined;
  /** Each module, with the reason why it does not run; undefined if it does. */
  readonly modules: readonly { readonly name: string; readonly problem: string | undefined }[];
}

/** Where the docs are, and how many documents were counted there, as far as counting went. */
export interface DocsFacts {
  readonly folders: readonly string[];
  readonly documents: number;
}

export interface Helper {
  readonly path: string;
  readonly isSetuidRoot: boolean;
}

export interface InotifyFacts {
  /** How many watches a user may have; each folder needs one. Undefined if the system does not tell. */
  readonly maxWatches: number | undefined;
  readonly maxInstances: number | undefined;
  /** The error code of one more watch: `ENOSPC` if no watch is left, `EMFILE` if no inotify instance is left. */
  readonly problem: string | undefined;
}

/** Facts that the command line knows, and that doctor asks it for. */
export interface FactSources {
  /** The state folder, or why there can be none. */
  readonly stateFolder: { readonly path: string } | { readonly problem: string };
  readonly docs: DocsFacts | undefined;
  /** The mounts of kgraphfs, and how each of them answers. */
  mounts(): Promise<Facts['mounts']>;
  whyNoDatabase(): string | undefined;
  whyNoVectors(): Promise<string | undefined>;
  modules(): Promise<Facts['modules']>;
}

/** Examines the machine. To do that it mounts something for a moment, in a folder of its own, and removes it again. */
export async function gatherFacts({
  stateFolder,
  docs,
  mounts,
  whyNoDatabase,
  whyNoVectors,
  modules,
}: FactSources): Promise<Facts> {
  const isRoot = process.getuid?.() === 0;
  const status = await readFile('/proc/self/status', 'utf8').catch(() => '');
  const koffiProblem = whyNoKoffi();
  const hasMountTable = existsSync(MOUNT_TABLE);
  const helperFound = await helper();
  // No mount is tried that could not be unmounted again.
  const untried = koffiProblem ?? (isRoot || hasMountTable ? undefined : `${MOUNT_TABLE} is missing`);
  return {
    platform: platform(),
    architecture: arch(),
    isLittleEndian: endianness() === 'LE',
    kernel: release(),
    nodeVersion: process.versions.node,
    isRoot,
    mayMount: hasAdminRight(status, isRoot),
    noNewPrivileges: /^NoNewPrivs:\s*1$/m.test(status),
    koffiProblem,
    databaseProblem: whyNoDatabase(),
    deviceProblem: await whyNoDevice(),
    helper: helperFound,
    helperProblem: helperFound === undefined ? await whyClosed() : undefined,
    hasMountTable,
    trial: untried === undefined ? await tryMount() : { kind: 'untried', reason: untried },
    linuxProblem: await whyLinuxCannotRun(),
    nativeProblem: await whyNoNative(),
    others: await othersRule(),
    mounts: await mounts(),
    state: await stateFacts(stateFolder),
    docs,
    hasGit: (await output('git', ['--version'])) !== '',
    inotify: await inotifyFacts(),
    vectorsProblem: await whyNoVectors(),
    modules: await modules(),
  };
}

const CAP_SYS_ADMIN = 21n;

/** An ordinary user's setuid program is limited by the bounding set, so that is what counts for one. */
export function hasAdminRight(status: string, isRoot: boolean): boolean {
  const set = new RegExp(`^${isRoot ? 'CapEff' : 'CapBnd'}:\\s*([0-9a-f]+)$`, 'm').exec(status)?.[1];
  return set === undefined || ((BigInt(`0x${set}`) >> CAP_SYS_ADMIN) & 1n) === 1n;
}

function whyNoKoffi(): string | undefined {
  try {
    koffi();
    return undefined;
  } catch (error) {
    // The lines after the first one only name the files that required the package.
    return reasonOf(error instanceof Error ? error.cause : error).split('\n', 1)[0];
  }
}

async function whyNoNative(): Promise<string | undefined> {
  const { whyNativeCannotRun } = await import('../fuse/native/requirements.ts');
  return whyNativeCannotRun();
}

async function helper(): Promise<Helper | undefined> {
  const found = await output('sh', ['-c', 'command -v fusermount3 || command -v fusermount']);
  if (found === '') return undefined;
  const path = await realpath(found).catch(() => found);
  const info = await stat(path).catch(() => undefined);
  const isSetuid = info !== undefined && info.uid === 0 && (info.mode & 0o4000) !== 0;
  return { path, isSetuidRoot: isSetuid };
}

function output(command: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile(command, args, (error, stdout) => resolve(error === null ? stdout.trim() : ''));
  });
}

async function inotifyFacts(): Promise<InotifyFacts> {
  return {
    maxWatches: await limit('max_user_watches'),
    maxInstances: await limit('max_user_instances'),
    problem: whyNoWatch(),
  };
}

async function limit(name: string): Promise<number | undefined> {
  const text = await readFile(`/proc/sys/fs/inotify/${name}`, 'utf8').catch(() => '');
  return /^\d+$/.test(text.trim()) ? Number(text) : undefined;
}

function whyNoWatch(): string | undefined {
  try {
    watch('/').close();
    return undefined;
  } catch (error) {
    return systemCodeOf(error) ?? reasonOf(error);
  }
}

import { constants, existsSync, type Stats } from 'node:fs';
import { access, lstat, readdir, statfs, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { systemCodeOf } from '../core/errors.ts';
import { ACCESS_BITS } from '../core/file-modes.ts';
import { isOfFailedDisk } from '../disk/disk-remedy.ts';
import { noPermission } from '../disk/unreadable-file.ts';

/** The state of the place where the state folder should be. */
export type StateFacts =
  /** No place is known, for this reason. */
  | { readonly kind: 'unknown'; readonly problem: string }
  /** The folder will be made. */
  | { readonly kind: 'missing'; readonly path: string }
  /** The folder cannot be made, or cannot be used. */
  | { readonly kind: 'unusable'; readonly path: string; readonly problem: string }
  /** The disk is full. */
  | {
      readonly kind: 'full';
      readonly path: string;
      readonly freeBytes: number;
      readonly freeInodes: number;
      /** Whether there is too little room for what a mount makes first. */
      readonly stopsMount: boolean;
    }
  /** A file in the folder refuses this user. The remedy is for all files that do. */
  | {
      readonly kind: 'refused';
      readonly path: string;
      readonly problem: string;
      readonly remedy: string;
      /** Whether it is a file without which nothing can be mounted. */
      readonly stopsMount: boolean;
    }
  | { readonly kind: 'there'; readonly path: string; readonly mode: number };

/** The index of some thousand documents takes as much as this, and SQLite needs some room to write anything. */
const LITTLE_BYTES = 64 * 2 ** 20;
const FEW_INODES = 100;
/**
 * What the first mount of a state folder needs, with one document. With 0.4 MB free it fails, with 0.9 MB it does not; with 26 free inodes it fails, with 27 it
 * does not.
 */
const FIRST = { bytes: 2 ** 20, files: 27 };
/** The file that the first mount makes last. `build` makes an index, and less than half of the other files. */
const MADE_LAST = 'history-search.sqlite';
/** What each later mount needs: two files beside each database, and its scratchpad. With 9 free inodes it fails, with 10 it does not. */
const LATER = { bytes: 1, files: 10 };
/** Files in use. Those that were put aside, such as `context.sqlite.damaged-20261121T115500`, do not count. */
const IN_USE = /\.(?:sqlite(?:-wal|-shm)?|json|log|lock)$/;
/** A mount ends if one of these refuses. Without the others it shows less, or forgets what can be made again. */
const NEEDED = /^(?:context\.sqlite|memory-search\.sqlite|daemon\.log|daemons\.lock)/;
const USABLE = constants.R_OK | constants.W_OK | constants.X_OK;

/** Examines the state folder. Changes nothing except the `ctime` of an existing folder. */
export async function stateFacts(
  folder: { readonly path: string } | { readonly problem: string },
): Promise<StateFacts> {
  if ('problem' in folder) return { kind: 'unknown', problem: folder.problem };
  const { path } = folder;
  let info: Stats;
  try {
    info = await lstat(path);
  } catch (error) {
    const nearest = await nearestFolder(path);
    const problem = (await whyNot(nearest)) ?? whyUnseen(path, error);
    if (problem !== undefined) return { kind: 'unusable', path, problem };
    return (await unlessFailed(path, () => whenFull(nearest, path))) ?? { kind: 'missing', path };
  }
  if (info.isSymbolicLink()) return { kind: 'unusable', path, problem: 'it is a link' };
  if (!info.isDirectory()) return { kind: 'unusable', path, problem: 'it is not a folder' };
  if (info.uid !== process.getuid?.()) {
    return { kind: 'unusable', path, problem: 'it belongs to another user' };
  }
  const problem = (await whyNot(path)) ?? (await whyUnwritten(path, info));
  if (problem !== undefined) return { kind: 'unusable', path, problem };
  const { mode } = info;
  return (
    (await unlessFailed(path, () => refusedFiles(path))) ??
    (await unlessFailed(path, () => whenFull(path, path))) ?? {
      kind: 'there',
      path,
      mode: mode & ACCESS_BITS,
    }
  );
}

/** What a disk does not tell stays unknown, but a disk that has failed is unusable. */
async function unlessFailed(
  path: string,
  look: () => Promise<StateFacts | undefined>,
): Promise<StateFacts | undefined> {
  try {
    return await look();
  } catch (error) {
    const code = systemCodeOf(error);
    if (code === undefined) throw error;
    if (!isOfFailedDisk(code)) return undefined;
    return { kind: 'unusable', path, problem: unseen(path, error) };
  }
}

/** Undefined if the disk of the folder has room. A disk that does not count inodes (btrfs) says that it has 0 of 0. */
async function whenFull(folder: string, path: string): Promise<StateFacts | undefined> {
  const { bavail, bsize, files, ffree } = await statfs(folder);
  const freeBytes = bavail * bsize;
  const freeInodes = files === 0 ? Number.POSITIVE_INFINITY : ffree;
  if (freeBytes >= LITTLE_BYTES && freeInodes >= FEW_INODES) return undefined;
  const { bytes, files: inodes } = existsSync(join(path, MADE_LAST)) ? LATER : FIRST;
  const stopsMount = freeBytes < bytes || freeInodes < inodes;
  return { kind: 'full', path, freeBytes, freeInodes, stopsMount };
}

/** Undefined if it does not exist. */
function whyUnseen(path: string, error: unknown): string | undefined {
  return systemCodeOf(error) === 'ENOENT' ? undefined : unseen(path, error);
}

function unseen(path: string, error: unknown): string {
  return `${path} cannot be looked at (${systemCodeOf(error) ?? String(error)})`;
}

/** Undefined if this user can work with all files in the folder. */
async function refusedFiles(path: string): Promise<StateFacts | undefined> {
  const entries = await readdir(path, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isFile() && IN_USE.test(entry.name)).map(({ name }) => name);
  const refused = names.sort().flatMap((name) => {
    const why = noPermission(join(path, name));
    return why === undefined ? [] : [{ name, why }];
  });
  const [first] = refused;
  if (first === undefined) return undefined;
  const byReason = new Map(refused.map(({ why }) => [why.reason, why]));
  const remedies = Array.from(byReason.values(), ({ reason, remedyFor }) =>
    remedyFor(refused.filter(({ why }) => why.reason === reason).map(({ name }) => join(path, name))),
  );
  const others = refused.length > 1 ? `, and ${refused.length - 1} more` : '';
  return {
    kind: 'refused',
    path,
    problem: `${first.name} cannot be used, ${first.why.reason}${others}`,
    remedy: remedies.join('; '),
    stopsMount: refused.some(({ name }) => NEEDED.test(name)),
  };
}

async function nearestFolder(path: string): Promise<string> {
  const parent = dirname(path);
  const isThere = await lstat(parent).then(
    () => true,
    () => parent === path,
  );
  return isThere ? parent : nearestFolder(parent);
}

async function whyNot(folder: string): Promise<string | undefined> {
  try {
    await access(folder, USABLE);
    return undefined;
  } catch (error) {
    return unwritten(folder, error);
  }
}

/** A disk that has met an error, or is gone, says so only when something is written. */
async function whyUnwritten(folder: string, { atime, mtime }: Stats): Promise<string | undefined> {
  try {
    await utimes(folder, atime, mtime);
    return undefined;
  } catch (error) {
    return unwritten(folder, error);
  }
}

function unwritten(folder: string, error: unknown): string {
  return `${folder} cannot be written (${systemCodeOf(error) ?? String(error)})`;
}

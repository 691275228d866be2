import { accessSync, constants, lstatSync } from 'node:fs';
import { dirname } from 'node:path';
import { reasonOf, systemCodeOf, UserError } from '../core/errors.ts';
import { shellWord } from '../text/shell-word.ts';
import { isOfFailedDisk, refusalOfAccess, SEE_KERNEL, whyOnlyRead } from './disk-remedy.ts';

/** Why a file cannot be used as it is, and what to do about it. */
export interface WhyUnusable {
  /** A clause: `no permission to read it, it belongs to user 0`. */
  readonly reason: string;
  readonly remedy: string;
}

/** A file that cannot be read or written. This says nothing about its content, so it is not damage. */
export class UnreadableFileError extends UserError {
  /** @param cannot what cannot be done with the file: `be looked at` */
  constructor(
    readonly file: string,
    readonly why: WhyUnusable,
    cause: unknown,
    readonly cannot = 'be looked at',
  ) {
    super(`${file}: cannot ${cannot} (${why.reason}); ${why.remedy}`, 1, { cause });
  }
}

/**
 * @param reason the reason to give if the file and the permissions are as they should be
 * @param ofMachine another reason why the machine refuses the file, if one is known
 */
export function whyUnreadable(file: string, reason: string, ofMachine?: WhyUnusable): WhyUnusable {
  const remedy = 'nothing was changed: when that is put right, kgraphfs check';
  try {
    if (lstatSync(file).isDirectory())
      return {
        reason: 'it is a folder',
        remedy: `move it away: mv ${shellWord(file)} ${shellWord(`${file}.folder`)}`,
      };
  } catch (error) {
    return {
      reason: reasonOf(error),
      remedy: isOfFailedDisk(systemCodeOf(error)) ? `${SEE_KERNEL}; ${remedy}` : remedy,
    };
  }
  const otherwise =
    ofMachine === undefined ? { reason, remedy } : { ...ofMachine, remedy: `${ofMachine.remedy}; ${remedy}` };
  return whyRefused(file) ?? otherwise;
}

/** The first file of a database that refuses this user. */
export interface RefusedFile extends WhyUnusable {
  readonly file: string;
}

/**
 * The first file that this user cannot work with, of a database, its log and the index of the log; undefined if there is none. The remedy covers all of these
 * files that refuse for the same reason, since SQLite makes the other two with the mode of the first.
 */
export function whyRefused(database: string): RefusedFile | undefined {
  const refused = [database, `${database}-wal`, `${database}-shm`].flatMap((file) => {
    const why = noPermission(file);
    return why === undefined ? [] : [{ file, why }];
  });
  const [first] = refused;
  if (first === undefined) return undefined;
  const { reason, remedyFor } = first.why;
  const alike = refused.filter(({ why }) => why.reason === reason).map(({ file }) => file);
  return { file: first.file, reason, remedy: remedyFor(alike) };
}

/** Why this user cannot work with a file. */
export interface NoPermission {
  /** A clause. */
  readonly reason: string;
  /** What makes all of these files usable, if they are refused for this reason. */
  remedyFor(files: readonly string[]): string;
}

/**
 * Why this user cannot work with a file. Undefined if the user owns it and may read and write it, and its disk can be written; also if the file cannot be
 * found.
 */
export function noPermission(file: string): NoPermission | undefined {
  const owner = ownerOf(file);
  if (owner === undefined) return undefined;
  // On a read-only disk, changing the mode or the owner does not help.
  if (isOnReadOnlyDisk(file)) {
    const { reason, remedy } = whyOnlyRead(file);
    return { reason, remedyFor: () => `${remedy}, or choose another --state folder` };
  }
  const uid = process.getuid?.();
  if (uid !== undefined && owner !== uid)
    return { reason: `it belongs to user ${owner}`, remedyFor: command(`sudo chown ${uid}`) };
  try {
    accessSync(file, constants.R_OK | constants.W_OK);
    return undefined;
  } catch (error) {
    // The code that opens the file reports any other reason.
    if (systemCodeOf(error) !== 'EACCES') return undefined;
    return { reason: 'no permission to read and write it', remedyFor: command('chmod u+rw') };
  }
}

/** Whether the file's disk is read-only. If the mode of the file forbids writing, the system says only that; then its folder tells. */
function isOnReadOnlyDisk(file: string): boolean {
  return [file, dirname(file)].some((path) => refusalOfAccess(path, constants.W_OK)?.code === 'EROFS');
}

function ownerOf(file: string): number | undefined {
  try {
    return lstatSync(file).uid;
  } catch {
    // The code that opens the file reports why it cannot be found.
    return undefined;
  }
}

function command(words: string): NoPermission['remedyFor'] {
  return (files) => [words, ...files.map(shellWord)].join(' ');
}

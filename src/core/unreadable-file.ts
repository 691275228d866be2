import { accessSync, constants, lstatSync } from 'node:fs';
import { reasonOf, systemCodeOf, UserError } from './errors.ts';

/** What is wrong with a file that cannot be used as it is, and what to do about it. */
export interface WhyUnusable {
  /** A clause: `no permission to read it, it belongs to user 0`. */
  readonly reason: string;
  readonly remedy: string;
}

/** A file that cannot be looked at. Nothing follows from that about what it holds: it is no damage. */
export class UnreadableFileError extends UserError {
  constructor(
    readonly file: string,
    readonly why: WhyUnusable,
    cause: unknown,
  ) {
    super(`${file}: cannot be looked at: ${why.reason}; ${why.remedy}`, 1, { cause });
  }
}

/** @param otherwise the reason where file and rights to it are as they should be */
export function whyUnreadable(file: string, otherwise: string): WhyUnusable {
  const remedy = 'nothing was changed: when that is put right, kgraphfs check';
  try {
    if (lstatSync(file).isDirectory())
      return {
        reason: 'it is a folder',
        remedy: `move it away: mv ${shellWord(file)} ${shellWord(`${file}.folder`)}`,
      };
  } catch (error) {
    return { reason: reasonOf(error), remedy };
  }
  const found = noPermission(file);
  if (found === undefined) return { reason: otherwise, remedy };
  return { reason: found.reason, remedy: `${found.command} ${shellWord(file)}` };
}

/** Why this user cannot work with a file. */
export interface NoPermission {
  /** A clause. */
  readonly reason: string;
  /** What gives it back, but for its name. */
  readonly command: string;
}

/** Undefined where this user owns the file and may read and write it, or there is none. */
export function noPermission(file: string): NoPermission | undefined {
  const owner = lstatSync(file, { throwIfNoEntry: false })?.uid;
  if (owner === undefined) return undefined;
  const uid = process.getuid?.();
  if (uid !== undefined && owner !== uid)
    return { reason: `it belongs to user ${owner}`, command: `sudo chown ${uid}` };
  try {
    accessSync(file, constants.R_OK | constants.W_OK);
    return undefined;
  } catch (error) {
    // Why else it cannot be had, whoever opens it finds out.
    if (systemCodeOf(error) !== 'EACCES') return undefined;
    return { reason: 'no permission to read and write it', command: 'chmod u+rw' };
  }
}

/** As a word of a command line. */
export function shellWord(path: string): string {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`;
}

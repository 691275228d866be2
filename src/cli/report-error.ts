import { existsSync } from 'node:fs';
import { EXIT, FsError, reasonOf, systemCodeOf, UserError } from '../core/errors.ts';
import { whyNotLoaded } from '../core/missing-package.ts';
import { damageOrReason, isDamage } from '../disk/damage.ts';
import { tooManyFiles } from '../disk/disk-remedy.ts';
import { fileSizeLimit } from '../disk/process-limits.ts';
import { printableText } from '../text/printable.ts';
import type { Io } from './io.ts';

/** Errors for which only a disk, or the server of one, is to blame. */
const DISK_REFUSALS: ReadonlySet<string | undefined> = new Set(
  'EIO ENOSPC EDQUOT EROFS ENXIO ENODEV ESTALE ENOTCONN'.split(' '),
);
const NO_PROC =
  '/proc is not mounted, in which the kernel tells what is mounted and what runs; as root: mount -t proc proc /proc';

/** No path and no sensible name is longer. A longer word, such as a file given as an argument, would bury the message. */
const LONGEST_WORD = 4096;
const LEFT_OF_A_LONG_WORD = 200;

/**
 * Says on standard error what went wrong. It shows a stack only if asked to, and nothing that moves the cursor: APIs and files have a say in messages. @returns
 * the exit status
 */
export function reportError(error: unknown, { err, debug }: Pick<Io, 'err' | 'debug'>): number {
  err.write(`${err.style('red', 'kgraphfs:')} ${printableText(withoutLongWords(describe(error, debug)))}\n`);
  return error instanceof UserError ? error.exitStatus : EXIT.failed;
}

/**
 * Says what went wrong, without a stack.
 * @param whereStackIs how to see the stack of a bug
 */
export function failureText(error: unknown, whereStackIs: string): string {
  const text = refusalText(error) ?? whyNotLoaded(error);
  return withFilesLimit(error, text ?? `${bugText(error)} (${whereStackIs} shows where)`);
}

function withoutLongWords(text: string): string {
  return text.replace(/\S+/g, (word) =>
    word.length > LONGEST_WORD ? `${word.slice(0, LEFT_OF_A_LONG_WORD)}…${word.slice(-2)}` : word,
  );
}

function describe(error: unknown, debug: boolean): string {
  if (!debug) return failureText(error, 'KGRAPHFS_DEBUG=1');
  const stack = error instanceof Error && error.stack ? `\n${error.stack}` : '';
  return withFilesLimit(error, refusalText(error) ?? `${whyNotLoaded(error) ?? bugText(error)}${stack}`);
}

function withFilesLimit(error: unknown, text: string): string {
  const ofError = tooManyFiles(systemCodeOf(error instanceof FsError ? error.cause : error));
  if (ofError !== undefined) return ofError;
  const told = tooManyFiles(/\b(?:EMFILE|ENFILE)\b/.exec(text)?.[0]);
  return told === undefined || text.includes(told) ? text : `${text}: ${told}`;
}

function refusalText(error: unknown): string | undefined {
  if (error instanceof UserError || error instanceof FsError) return error.message;
  if (DISK_REFUSALS.has(systemCodeOf(error))) return `a disk is full, read-only or gone: ${reasonOf(error)}`;
  const limit = systemCodeOf(error) === 'EFBIG' ? fileSizeLimit() : undefined;
  if (limit !== undefined) return `${reasonOf(error)}: ${limit}`;
  if (lacksProc(error)) return NO_PROC;
  return isDamage(error) ? damageOrReason(error) : undefined;
}

/** Whether the error is that /proc is not mounted, as in some sandboxes. */
function lacksProc(error: unknown): boolean {
  if (systemCodeOf(error) !== 'ENOENT' || !/ '\/proc\//.test(reasonOf(error))) return false;
  return !existsSync('/proc/self');
}

function bugText(error: unknown): string {
  return `this is a bug of kgraphfs, please report it: ${reasonOf(error)}`;
}

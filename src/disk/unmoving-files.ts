import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { UserError } from '../core/errors.ts';

/** Files that this process reads as immutable, since their disk is read-only here, each with its stamp from before that began. */
const unmoving = new Map<string, string>();
/** How many callers are reading each folder. */
const readers = new Map<string, number>();

/** Notes that a file is read as immutable from now on: without locks, and without checking for changes. */
export function takeAsUnmoving(file: string): void {
  unmoving.set(file, stampOf(file));
}

/** Forgets the files that were read as immutable. @param folder restricts this to files directly in it */
export function forgetUnmoving(folder?: string): void {
  for (const file of filesOf(folder)) unmoving.delete(file);
}

/**
 * For a program that reads more than one folder, or one folder more than once.
 * @returns a function to be called, once, when this reading of the folder has ended. After the last one the folder's files are forgotten
 */
export function beginReading(folder: string): () => void {
  readers.set(folder, (readers.get(folder) ?? 0) + 1);
  return () => {
    const others = (readers.get(folder) ?? 1) - 1;
    readers.set(folder, others);
    if (others > 0) return;
    readers.delete(folder);
    forgetUnmoving(folder);
  };
}

/**
 * The error to report if a file was written to since it was taken as immutable, which another machine or another mount of its disk can do. Pages from before
 * and after that may have been read as one. Undefined if there was no such write.
 * @param folder as in {@link forgetUnmoving}
 */
export function whyMoved(folder?: string): UserError | undefined {
  for (const file of filesOf(folder))
    if (stampOf(file) !== unmoving.get(file))
      return new UserError(
        `${file}: was written to from elsewhere while it was read here, so what was read may be wrong; ask again`,
      );
  return undefined;
}

function filesOf(folder: string | undefined): string[] {
  return [...unmoving.keys()].filter((file) => folder === undefined || dirname(file) === folder);
}

function stampOf(file: string): string {
  const status = statSync(file, { bigint: true, throwIfNoEntry: false });
  return status === undefined ? '' : `${status.dev} ${status.ino} ${status.size} ${status.mtimeNs}`;
}

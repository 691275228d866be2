import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { UserError } from '../core/errors.ts';

/** Files that this process reads as what does not change, since it can only read their disk, and how each was before that began. */
const unmoving = new Map<string, string>();
/** By folder, how many read it. */
const readers = new Map<string, number>();

/** Says that a file is read from now on as what does not change: without locks, and without a look whether it did. */
export function takeAsUnmoving(file: string): void {
  unmoving.set(file, stampOf(file));
}

/** Nothing is read in that way any longer. @param folder of files directly in this one alone */
export function forgetUnmoving(folder?: string): void {
  for (const file of filesOf(folder)) unmoving.delete(file);
}

/**
 * For a program that reads more than one folder, or one more than once.
 * @returns to be called, once, when this reading of the folder has ended: after the last of them its files are forgotten
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
 * What to say of a file that was written to since it was taken as unmoving: on another machine, or through another mount of its disk. Pages from before and
 * after that may have been read as one.
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

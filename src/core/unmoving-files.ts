import { statSync } from 'node:fs';
import { UserError } from './errors.ts';

/** Files that this process reads as what does not change, since it can only read their disk, and how each was before that began. */
const unmoving = new Map<string, string>();

/** Says that a file is read from now on as what does not change: without locks, and without a look whether it did. */
export function takeAsUnmoving(file: string): void {
  unmoving.set(file, stampOf(file));
}

/** Nothing is read in that way any longer. */
export function forgetUnmoving(): void {
  unmoving.clear();
}

/**
 * What to say of a file that was written to since it was taken as unmoving: on another machine, or through another mount of its disk. Pages from before and
 * after that may have been read as one.
 */
export function whyMoved(): UserError | undefined {
  for (const [file, stamp] of unmoving)
    if (stampOf(file) !== stamp)
      return new UserError(
        `${file}: was written to from elsewhere while it was read here, so what was read may be wrong; ask again`,
      );
  return undefined;
}

function stampOf(file: string): string {
  const status = statSync(file, { bigint: true, throwIfNoEntry: false });
  return status === undefined ? '' : `${status.dev} ${status.ino} ${status.size} ${status.mtimeNs}`;
}

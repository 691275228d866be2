import { type BigIntStats, closeSync, constants, fstatSync, openSync, readlinkSync, statSync } from 'node:fs';

/** A folder that is held open, so that it is found where it was moved to. */
export interface HeldPlace {
  /** Where the folder lies now; the path by which it was opened if it was removed, if that path leads to it still, or once it is closed. */
  path(): string;
  close(): void;
}

/** Holds a folder open. If it cannot be opened, it stays at its path. */
export function holdPlace(path: string): HeldPlace {
  const descriptor = descriptorOf(path);
  if (descriptor === undefined) return { path: () => path, close: () => {} };
  const held = fstatSync(descriptor, { bigint: true });
  let isClosed = false;
  return {
    path() {
      if (isClosed || isAt(held, path)) return path;
      const now = readlinkSync(`/proc/self/fd/${descriptor}`);
      return isAt(held, now) ? now : path;
    },
    close() {
      if (!isClosed) closeSync(descriptor);
      isClosed = true;
    },
  };
}

function descriptorOf(path: string): number | undefined {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_DIRECTORY);
  } catch {
    // Without it, a move is not seen, and all else works.
    return undefined;
  }
}

function isAt({ dev, ino }: BigIntStats, path: string): boolean {
  try {
    const found = statSync(path, { bigint: true, throwIfNoEntry: false });
    return found?.dev === dev && found.ino === ino;
  } catch {
    // What may not be looked at is not known to be the folder.
    return false;
  }
}

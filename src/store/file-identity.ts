import { statSync } from 'node:fs';

/** Stands for a file in a folder that this process may not look into. */
const UNSEEN = '';

/**
 * Returns a function that tells, for as long as a file is open, whether the file at its path was replaced or removed or is empty by now. A file that has become
 * shorter is still the same: another program may have compacted it (VACUUM).
 */
export function replacementOf(file: string): () => boolean {
  const opened = identityOf(file);
  return () => {
    const now = identityOf(file);
    if (now === UNSEEN || opened === UNSEEN) return false;
    return now?.id !== opened?.id || (now?.isEmpty === true && opened?.isEmpty === false);
  };
}

interface Identity {
  readonly id: string;
  readonly isEmpty: boolean;
}

function identityOf(file: string): Identity | typeof UNSEEN | undefined {
  try {
    const status = statSync(file, { bigint: true, throwIfNoEntry: false });
    return status && { id: `${status.dev}:${status.ino}`, isEmpty: status.size === 0n };
  } catch {
    // The folder does not allow a look.
    return UNSEEN;
  }
}

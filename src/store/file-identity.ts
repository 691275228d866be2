import { statSync } from 'node:fs';

/** Where the folder does not let us look, nothing is known. */
const UNSEEN = '';

/**
 * To be asked whether another file lies where one was opened, or none, for as long as that is open. A database never becomes shorter: one that
 * has less in it than when it was opened was emptied by somebody else, and whoever opens it next finds that.
 */
export function replacementOf(file: string): () => boolean {
  const opened = identityOf(file);
  return () => {
    const now = identityOf(file);
    if (now === UNSEEN || opened === UNSEEN) return false;
    return now?.id !== opened?.id || (now?.sizeBytes ?? 0n) < (opened?.sizeBytes ?? 0n);
  };
}

interface Identity {
  readonly id: string;
  readonly sizeBytes: bigint;
}

function identityOf(file: string): Identity | typeof UNSEEN | undefined {
  try {
    const status = statSync(file, { bigint: true, throwIfNoEntry: false });
    return status && { id: `${status.dev}:${status.ino}`, sizeBytes: status.size };
  } catch {
    return UNSEEN;
  }
}

import { statSync } from 'node:fs';

/** Where the folder does not let us look, nothing is known. */
const UNSEEN = '';

/**
 * To be asked whether another file lies where one was opened, or none, or nothing is in it any more, for as long as it is open. A shorter one is the
 * same: another program may have had it made small (VACUUM).
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
    // The folder does not let us look.
    return UNSEEN;
  }
}

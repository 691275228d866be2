import { statSync } from 'node:fs';

/** Where the folder does not let us look, nothing is known. */
const UNSEEN = '';

/** To be asked whether another file lies where one was opened, or none, for as long as that is open. */
export function replacementOf(file: string): () => boolean {
  const opened = identityOf(file);
  return () => {
    const now = identityOf(file);
    return now !== opened && now !== UNSEEN && opened !== UNSEEN;
  };
}

function identityOf(file: string): string | undefined {
  try {
    const status = statSync(file, { bigint: true, throwIfNoEntry: false });
    return status && `${status.dev}:${status.ino}`;
  } catch {
    return UNSEEN;
  }
}

import { constants, openSync } from 'node:fs';

/** `O_TMPFILE` of Linux's fcntl.h. */
const O_TMPFILE = 0o20000000 | constants.O_DIRECTORY;

/**
 * A file without a name, to be read and written, which goes when its descriptor is closed, however the process ends.
 * @returns its descriptor
 * @throws the system's error, EOPNOTSUPP among them for a disk that has no such files
 */
export function openUnnamed(folder: string): number {
  return openSync(folder, O_TMPFILE | constants.O_RDWR, 0o600);
}

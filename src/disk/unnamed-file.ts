import { constants, openSync } from 'node:fs';

/** `O_TMPFILE`, from Linux's fcntl.h. */
const O_TMPFILE = 0o20000000 | constants.O_DIRECTORY;

/**
 * Makes a file without a name, for reading and writing. It is gone when its descriptor is closed, however the process ends.
 * @returns its descriptor
 * @throws the system's error; EOPNOTSUPP if the disk has no such files
 */
export function openUnnamed(folder: string): number {
  return openSync(folder, O_TMPFILE | constants.O_RDWR, 0o600);
}

import { OTHERS_BITS, OWNER_BITS } from '../core/file-modes.ts';

/**
 * Lets this process, and those that it starts, make files that their owner can use, which SQLite's are among: a umask such as 0777 takes that away. What it takes
 * from others it goes on to take.
 */
export function leaveOwnersRights(): void {
  process.umask(process.umask(OTHERS_BITS) & ~OWNER_BITS);
}

import { OTHERS_BITS, OWNER_BITS } from '../core/file-modes.ts';

/**
 * Lets this process, and those that it starts, create files that their owner can use, SQLite's among them, even under a umask such as 0777. What the umask
 * takes from others stays taken.
 */
export function leaveOwnersRights(): void {
  process.umask(process.umask(OTHERS_BITS) & ~OWNER_BITS);
}

import { constants, openSync } from 'node:fs';
import { EXIT, reasonOf, systemCodeOf, UserError } from '../core/errors.ts';
import { PRIVATE_FILE_MODE } from '../core/file-modes.ts';
import { isNoRoom } from '../core/room.ts';
import { wayOut } from '../disk/disk-remedy.ts';
import { removeFile } from '../disk/remove.ts';
import { type Lockable, whileLocked } from '../system/file-lock.ts';
import { prepareStateFolder, type StateFolder } from './state-folder.ts';

const { O_CREAT, O_NOFOLLOW, O_RDWR } = constants;

/**
 * Runs the body while no other process does this for the same state folder: no daemon begins, and nothing is wiped meanwhile. On a disk without locks, nobody
 * is kept out.
 * @param body has done its work when it returns
 * @param makesRoom runs the body even if the disk has no room for the file of the lock: no daemon can begin there before the body has made room
 * @throws UserError if the lock cannot be had; whatever the body throws
 */
export function withDaemonsLocked<T>(
  state: StateFolder,
  body: () => T,
  { makesRoom = false } = {},
): Promise<T> {
  const lock: Lockable = {
    path: state.daemonsLock,
    open: () => openLock(state, makesRoom),
    heldForLong: () =>
      new UserError(
        `${state.path}: another process has been starting a daemon, or wiping, for a long time; try again when it is done`,
      ),
  };
  return whileLocked(lock, body);
}

/** Removes the lock. Only its holder may do that, as the last thing: a process that waits for it then takes a new one. */
export function removeDaemonsLock({ daemonsLock }: StateFolder): void {
  removeFile(daemonsLock);
}

/** @returns undefined if there is no room for the lock, and room is to be made */
function openLock(state: StateFolder, makesRoom: boolean): number | undefined {
  const open = () => openSync(state.daemonsLock, O_RDWR | O_CREAT | O_NOFOLLOW, PRIVATE_FILE_MODE);
  try {
    try {
      return open();
    } catch (error) {
      if (systemCodeOf(error) !== 'ENOENT') throw error;
      // The folder was wiped a moment ago.
      prepareStateFolder(state);
      return open();
    }
  } catch (error) {
    if (error instanceof UserError) throw error;
    if (makesRoom && isNoRoom(systemCodeOf(error))) return undefined;
    const why = `${state.daemonsLock}: cannot be locked (${reasonOf(error)})`;
    throw new UserError(`${why}; ${wayOut(systemCodeOf(error), state.path)}`, EXIT.failed, { cause: error });
  }
}

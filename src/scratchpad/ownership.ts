import { constants, fchmodSync } from 'node:fs';
import { systemCodeOf } from '../core/errors.ts';
import {
  ACCESS_BITS,
  PERMISSION_BITS,
  SET_GROUP_ID_BIT,
  SET_ID_BITS,
  SET_USER_ID_BIT,
} from '../core/file-modes.ts';
import type { OpContext } from '../core/resolver.ts';
import { type FileStatus, statusOf } from '../system/file-status.ts';
import { changeOwnerOf } from '../system/files.ts';
import { kindOf, permissionsOf } from './disk-status.ts';
import type { OpenFolder } from './open-folder.ts';

/** What chown(2) answers to a root that lacks CAP_CHOWN, and for a user that is unknown in its namespace. */
const MAY_NOT_GIVE = new Set(['EPERM', 'EINVAL']);

/**
 * Gives a new file to whoever asked for it, with the mode that it is to have, whatever the umask of this process.
 * @returns its status from before that: good for size and blocks, not for owner and mode
 */
export function settleNewFile(
  descriptor: number,
  mode: number,
  folder: FileStatus,
  context: OpContext,
): FileStatus {
  const status = statusOf(descriptor);
  const isGiven = give(status, folder, context, (user, group) => changeOwnerOf(descriptor, user, group));
  // Changing the owner clears set-user-ID.
  if (permissionsOf(status) !== mode || (isGiven && hasSetId(mode))) fchmodSync(descriptor, mode);
  return status;
}

/** A folder, a link, or whatever else has no descriptor of its own, as the disk has just made it. */
export interface NewName {
  readonly folder: OpenFolder;
  readonly folderStatus: FileStatus;
  readonly name: string;
  readonly status: FileStatus;
}

/**
 * Gives something new that is not a file to whoever asked for it, with the mode that it is to have.
 * @param permissions the bits that it is to have; all others stay as they are. Undefined for a link, which has none
 */
export function settleNewNode(
  { folder, folderStatus, name, status }: NewName,
  permissions: number | undefined,
  context: OpContext,
): void {
  const isGiven = give(status, folderStatus, context, (user, group) =>
    folder.changeOwnerOf(name, user, group),
  );
  if (permissions === undefined) return;
  const mode = permissionsOf(status);
  const isAsAsked = (mode & permissions) === permissions && (mode & ACCESS_BITS & ~permissions) === 0;
  if (isAsAsked && !(isGiven && hasSetId(permissions))) return;
  const entry = folder.entryAt(name);
  try {
    entry.changeMode((mode & ~ACCESS_BITS) | permissions);
  } finally {
    entry.close();
  }
}

/**
 * The mode that a file has to get after a change of its bytes or its length; undefined where it keeps the one it has. A change by anybody but root
 * clears set-user-ID, and set-group-ID where the group may execute the file. The kernel does not do it here: it sees root write, on behalf of others.
 */
export function modeWithoutSetId(status: FileStatus, { caller }: OpContext): number | undefined {
  if (caller?.uid === undefined || caller.uid === 0 || kindOf(status) !== 'file') return undefined;
  const isGroupExecuted = (status.mode & constants.S_IXGRP) !== 0;
  const dropped = SET_USER_ID_BIT | (isGroupExecuted ? SET_GROUP_ID_BIT : 0);
  return (status.mode & dropped) === 0 ? undefined : status.mode & PERMISSION_BITS & ~dropped;
}

/**
 * Makes whoever asked for something new its owner, in place of this process. Does nothing where the caller is unknown or this process may not.
 * @param made its status as the disk made it: a folder with set-group-ID has already handed its group down
 * @returns whether it has another owner now
 */
function give(
  made: FileStatus,
  folder: FileStatus,
  { caller }: OpContext,
  change: (user: number, group: number) => void,
): boolean {
  if (caller?.uid === undefined) return false;
  const group = (folder.mode & SET_GROUP_ID_BIT) !== 0 ? made.group : (caller.gid ?? made.group);
  if ((made.user === caller.uid && made.group === group) || process.geteuid?.() !== 0) return false;
  try {
    change(caller.uid, group);
    return true;
  } catch (error) {
    if (MAY_NOT_GIVE.has(systemCodeOf(error) ?? '')) return false;
    throw error;
  }
}

function hasSetId(mode: number): boolean {
  return (mode & SET_ID_BITS) !== 0;
}

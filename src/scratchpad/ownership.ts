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

/** Errors of chown(2) for a root user without CAP_CHOWN, and for a user that its namespace does not know. */
const MAY_NOT_GIVE = new Set(['EPERM', 'EINVAL']);

/**
 * Makes the caller the owner of a new file, and gives it the mode that it is to have, whatever the umask of this process.
 * @returns the status from before that. Its size and blocks are valid, its owner and mode are not
 */
export function settleNewFile(
  descriptor: number,
  mode: number,
  folder: FileStatus,
  context: OpContext,
): FileStatus {
  const status = statusOf(descriptor);
  const isGiven = give(status, folder, context, (user, group) => changeOwnerOf(descriptor, user, group));
  // Changing the owner has cleared set-user-ID.
  if (permissionsOf(status) !== mode || (isGiven && hasSetId(mode))) fchmodSync(descriptor, mode);
  return status;
}

/** A folder, link or anything else without a descriptor of its own, as the disk has just made it. */
export interface NewName {
  readonly folder: OpenFolder;
  readonly folderStatus: FileStatus;
  readonly name: string;
  readonly status: FileStatus;
}

/**
 * Makes the caller the owner of something new that is not a file, and gives it the mode that it is to have.
 * @param permissions the permission bits to set; all other bits stay. Undefined for a link, which has none
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
 * The mode that a file has to get after a change of its bytes or its length; undefined if its mode stays. A change by anybody but root clears set-user-ID, and
 * set-group-ID if the group may execute the file. The kernel does not do that here, since it sees root write, on behalf of others.
 */
export function modeWithoutSetId(status: FileStatus, { caller }: OpContext): number | undefined {
  if (caller?.uid === undefined || caller.uid === 0 || kindOf(status) !== 'file') return undefined;
  const isGroupExecuted = (status.mode & constants.S_IXGRP) !== 0;
  const dropped = SET_USER_ID_BIT | (isGroupExecuted ? SET_GROUP_ID_BIT : 0);
  return (status.mode & dropped) === 0 ? undefined : status.mode & PERMISSION_BITS & ~dropped;
}

/**
 * Makes the caller the owner of something new, in place of this process. Does nothing if the caller is unknown or this process may not change owners.
 * @param made its status as the disk made it: a folder with set-group-ID has already passed its group on
 * @returns whether the owner was changed
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

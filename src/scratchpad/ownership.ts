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

/** A root without the right to give away (CAP_CHOWN), and a user that its namespace does not know. */
const MAY_NOT_CODES = new Set(['EPERM', 'EINVAL']);

/**
 * Gives a new file to who asked for it, and the mode that it is to have, whatever umask this process has.
 * @returns its status, as far as its size and its blocks go
 */
export function settleNewFile(
  descriptor: number,
  mode: number,
  folder: FileStatus,
  context: OpContext,
): FileStatus {
  const status = statusOf(descriptor);
  const isGiven = give(status, folder, context, (user, group) => changeOwnerOf(descriptor, user, group));
  // A change of the owner takes set-user-ID off.
  if (permissionsOf(status) !== mode || (isGiven && hasSetId(mode))) fchmodSync(descriptor, mode);
  return status;
}

/**
 * The same for a folder, a link, or whatever else has no descriptor of its own.
 * @param permissions the bits that it is to have; all others stay. A link has none
 */
export function settleNewNode(
  folder: OpenFolder,
  name: string,
  status: FileStatus,
  permissions: number | undefined,
  folderStatus: FileStatus,
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
 * The permissions that a file is left with when its bytes or its length are changed, where they differ from those that it has: who is not
 * root takes set-user-ID off, and set-group-ID where the group may execute it. Root asks the disk on behalf of others, and is
 * spared that by the kernel.
 */
export function modeWithoutSetId(status: FileStatus, { caller }: OpContext): number | undefined {
  if (caller?.uid === undefined || caller.uid === 0 || kindOf(status) !== 'file') return undefined;
  const isGroupExecuted = (status.mode & constants.S_IXGRP) !== 0;
  const dropped = SET_USER_ID_BIT | (isGroupExecuted ? SET_GROUP_ID_BIT : 0);
  return (status.mode & dropped) === 0 ? undefined : status.mode & PERMISSION_BITS & ~dropped;
}

/**
 * Has something new belong to who asked for it and not to this process, where one is known and this process may give away.
 * @param made as the disk made it: a folder with set-group-ID has handed its group down already
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
    if (MAY_NOT_CODES.has(systemCodeOf(error) ?? '')) return false;
    throw error;
  }
}

function hasSetId(mode: number): boolean {
  return (mode & SET_ID_BITS) !== 0;
}

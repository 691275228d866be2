import { lstatSync, statSync } from 'node:fs';
import { UserError } from '../core/errors.ts';

/**
 * Refuses a state folder of another user. Files that somebody else, mostly root, makes in it would lock its owner out.
 * @throws UserError if the folder exists and belongs to another user
 */
export function refuseOthersFolder(folder: string): void {
  const uid = process.getuid?.();
  const owner = statSync(folder, { throwIfNoEntry: false })?.uid;
  if (uid === undefined || owner === undefined || owner === uid) return;
  throw new UserError(
    `${folder}: the state folder belongs to another user (${owner}); run kgraphfs as that user, or choose one with --state`,
  );
}

/**
 * Refuses a file that is a link. A state folder may have come with somebody else's repository, and the targets of its links are not ours to write to.
 * @throws UserError if the file is a link
 */
export function refuseLinkedFile(file: string): void {
  if (!lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink()) return;
  throw new UserError(
    `${file}: it is a link, and everything in a state folder has to be in the folder itself; remove it, or choose another folder with --state`,
  );
}

import { lstatSync, statSync } from 'node:fs';
import { UserError } from '../core/errors.ts';

/**
 * Files that somebody else makes in a state folder, root above all, keep its owner out of it.
 * @throws UserError where the folder is there and belongs to another user
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
 * A state folder may have come with a repository of somebody else: what a link in it leads to is not ours to write.
 * @throws UserError where the file is a link
 */
export function refuseLinkedFile(file: string): void {
  if (!lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink()) return;
  throw new UserError(
    `${file}: it is a link, and all of a state folder has to lie in it; remove it, or choose another folder with --state`,
  );
}

import { statSync } from 'node:fs';
import { UserError } from './errors.ts';

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

import { FsError, reasonOf, systemCodeOf } from '../core/errors.ts';

/** The reasons why not all changes of the docs are noticed, as `kgraphfs status` shows them. */

const MORE_WATCHES =
  'Each folder takes a watch; to allow more: sudo sysctl fs.inotify.max_user_watches=524288 fs.inotify.max_user_instances=1024';

const NO_MORE_WATCHES = `not all folders can be watched, since this user has no more watches; folders without a watch are looked at from time to time. ${MORE_WATCHES}`;

export const CHANGED_BY_OTHERS =
  'the docs, or a part of them, are on a disk of the network or of a program (FUSE), where the kernel does not see what others change; everything is looked at from time to time';

/** @param reason why inotify is not available */
export function nothingWatched(reason: string): string {
  return `changes cannot be followed: ${reason} ; everything is looked at from time to time. ${MORE_WATCHES}`;
}

/** @param error the error that ended the watch */
export function notFollowed(error: unknown): string {
  return `changes cannot be followed: ${reasonOf(error)}`;
}

/** Why a folder cannot be watched; undefined if it is gone, or cannot be read. */
export function limitBy(error: unknown): string | undefined {
  const code = systemCodeOf(error) ?? (error instanceof FsError ? error.code : undefined);
  // Another program holds an ignore file, without which it is not known what has to be watched.
  if (code === undefined || code === 'EBUSY') return notFollowed(error);
  return code === 'ENOSPC' || code === 'ENOMEM' ? NO_MORE_WATCHES : undefined;
}

/** @param folder a docs root. @param error why it could not even be looked at */
export function notWatched(folder: string, error: unknown): string {
  return `the docs folder ${folder} cannot be watched: ${reasonOf(error)}`;
}

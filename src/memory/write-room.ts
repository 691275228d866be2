import { FsError } from '../core/errors.ts';
import type { VfsPath } from '../core/paths.ts';
import { NO_ROOM } from '../core/room.ts';
import type { MemoryParts } from './parts.ts';

/** How much a commit may write besides the text: pages of tables, of indexes and of the log. */
const COMMIT_BYTES = 128 << 10;

/**
 * Requires that a content of this size could be committed now. What is refused stands among the errors too, since few programs say why a write failed.
 * @param path where the content is to be
 * @throws FsError ENOSPC, EDQUOT; whatever code the store gives if it cannot keep anything now
 */
export function requireRoom({ store, room, errors }: MemoryParts, sizeBytes: number, path: VfsPath): void {
  const unkept = store.whyUnkept();
  const none = unkept ?? noRoomFor(room?.whyNone(sizeBytes + COMMIT_BYTES));
  if (none === undefined) return;
  errors.add({ code: none.code, path, message: none.why });
  throw new FsError(none.code, path, none.why);
}

function noRoomFor(code: keyof typeof NO_ROOM | undefined) {
  return code === undefined ? undefined : { code, why: NO_ROOM[code] };
}

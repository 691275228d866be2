import { after, recover } from '../../core/awaitable.ts';
import type { RenameUse } from '../../core/changes.ts';
import { FsError } from '../../core/errors.ts';
import { PERMISSION_BITS } from '../../core/file-modes.ts';
import type { Awaitable, NodeInfo, OpContext } from '../../core/resolver.ts';
import { newNode } from '../request-values.ts';
import type { Answer, Handlers } from './handler.ts';
import {
  decodeLink,
  decodeMkdir,
  decodeMknod,
  decodeName,
  decodeRename,
  decodeRename2,
  decodeSymlink,
  type RenameRequest,
  type Request,
} from './protocol/request.ts';
import { entryOf, type NamedPlace, nodeOf, pathOf, placeIn, placeOf, type Served } from './served.ts';

/** `RENAME_…` of renameat2(2), but for whiteouts, which only overlays use. */
const RENAME_USES: ReadonlyMap<number, RenameUse> = new Map([
  [0, 'replace'],
  [1, 'keep'],
  [2, 'exchange'],
]);

/** Making, moving and removing names. */
export function serveChanges(served: Served): Handlers {
  const { vfs } = served;
  return {
    mkdir(request, context) {
      const { name, mode } = decodeMkdir(request);
      const place = placeOf(served, request, name);
      return make(served, place, vfs.makeFolder(place.path, mode & PERMISSION_BITS, context), context);
    },
    mknod(request, context) {
      const { name, mode, device } = decodeMknod(request);
      const place = placeOf(served, request, name);
      const made = vfs.makeNode(place.path, newNode(place.path, mode, device), context);
      return make(served, place, made, context);
    },
    symlink(request, context) {
      const { name, target } = decodeSymlink(request);
      const place = placeOf(served, request, name);
      return make(served, place, vfs.symlink(target, place.path, context), context);
    },
    link(request, context) {
      const { existingId, name } = decodeLink(request);
      const place = placeOf(served, request, name);
      const existing = pathOf(served, nodeOf(served, existingId));
      return make(served, place, vfs.link(existing, place.path, context), context);
    },
    unlink(request, context) {
      const place = placeOf(served, request, decodeName(request));
      return remove(served, place, vfs.remove(place.path, context));
    },
    rmdir(request, context) {
      const place = placeOf(served, request, decodeName(request));
      return remove(served, place, vfs.removeFolder(place.path, context));
    },
    rename: (request, context) => rename(served, request, context, decodeRename(request)),
    rename2: (request, context) => rename(served, request, context, decodeRename2(request)),
  };
}

/** Looks a new name up once it is made. */
function make(
  served: Served,
  place: NamedPlace,
  made: Awaitable<void>,
  context: OpContext,
): Awaitable<Answer> {
  const generation = served.generation();
  return after(made, () => {
    const info = recover<NodeInfo, never>(
      () => served.vfs.stat(place.path, context),
      (error) => {
        // The name was made all the same.
        invalidatePlaces(served, place);
        throw error;
      },
    );
    return after<NodeInfo, Answer>(info, (info) => {
      const entry = entryOf(served, place, info, generation);
      return {
        encode: (out) => entry.encode(out),
        undo() {
          entry.undo?.();
          invalidatePlaces(served, place);
        },
      };
    });
  });
}

function remove(served: Served, place: NamedPlace, removed: Awaitable<void>): Awaitable<Answer> {
  return after(removed, () => {
    served.nodes.remove(place.folder, place.name);
    return done(served, place);
  });
}

function rename(
  served: Served,
  request: Request,
  context: OpContext,
  asked: RenameRequest,
): Awaitable<Answer> {
  const { vfs, nodes } = served;
  const from = placeOf(served, request, asked.name);
  const to = placeIn(served, asked.newFolderId, asked.newName);
  const use = RENAME_USES.get(asked.flags);
  if (use === undefined) throw new FsError('EINVAL', from.path, 'there is no such way to rename');
  return after(vfs.rename(from.path, to.path, context, use), () => {
    if (use === 'exchange') nodes.exchange(from.folder, from.name, to.folder, to.name);
    else nodes.move(from.folder, from.name, to.folder, to.name);
    return done(served, from, to);
  });
}

/** The answer to a change that was made. If it took too long, the kernel was told that it failed, and has to ask for these names again. */
function done(served: Served, ...places: readonly NamedPlace[]): Answer {
  return { encode: () => 0, undo: () => invalidatePlaces(served, ...places) };
}

function invalidatePlaces({ kernel }: Served, ...places: readonly NamedPlace[]): void {
  for (const { folder, name } of places) kernel.invalidatePlace(folder, name);
}

import { constants } from 'node:fs';
import { after, recover } from '../../core/awaitable.ts';
import { isFsError } from '../../core/errors.ts';
import { PERMISSION_BITS } from '../../core/file-modes.ts';
import type { Awaitable, OpContext } from '../../core/resolver.ts';
import { GivenHandles, noFlushOf } from './given-handles.ts';
import { type Answer, DONE, type Handlers } from './handler.ts';
import { OpenedFile } from './handles.ts';
import { handOver } from './open-file.ts';
import { Openings } from './openings.ts';
import { encodeCreated } from './protocol/answer.ts';
import { decodeCreate, decodeHandle, decodeOpen, type Request } from './protocol/request.ts';
import { noteWritten } from './serve-files.ts';
import { entryOf, nodeOf, placeOf, type Served } from './served.ts';

const { O_APPEND, O_EXCL } = constants;

/** Opening, making and closing files. */
export function serveOpens(served: Served): Handlers {
  const { handles, sentBack } = served;
  const given = new GivenHandles(served);
  const openings = new Openings(served, given);
  return {
    open(request, context) {
      const node = nodeOf(served, request.nodeId);
      const coming = {
        thread: request.pid,
        flags: decodeOpen(request),
        retry: sentBack.take(request.pid, node),
        context,
      };
      return openings.open(node, coming);
    },
    create: (request, context) => create(served, given, request, context),
    release(request) {
      const handle = decodeHandle(request);
      const { node, writable, isWriter } = handles.file(handle);
      try {
        // There was no FLUSH to note that the kernel has what was written. It does not have it if it reads past its cache.
        const isKept = isWriter && node.backing === undefined;
        if (isKept && writable?.needsNoFlush === true) noteWritten(node, writable);
      } finally {
        given.close(handle);
      }
      return DONE;
    },
  };
}

function create(
  served: Served,
  given: GivenHandles,
  request: Request,
  context: OpContext,
): Awaitable<Answer> {
  const { vfs, handles, kernel, sentBack } = served;
  const { name, flags, mode } = decodeCreate(request);
  const place = placeOf(served, request, name);
  const options = {
    append: (flags & O_APPEND) !== 0,
    truncate: false,
    exclusive: true,
    mode: mode & PERMISSION_BITS,
  };
  const generation = served.generation();
  // If the thread was sent back to look again, it found nothing, and that is settled now.
  sentBack.take(request.pid);
  const created = recover(
    () => vfs.create(place.path, options, context),
    (error): never => {
      // The file exists already, which the kernel did not know. It looks again, and opens or refuses it.
      if (!isFsError(error, 'EEXIST') || (flags & O_EXCL) !== 0) throw error;
      return sentBack.send(request.pid, { node: undefined, path: place.path });
    },
  );
  return after(created, (file) =>
    handOver(file, () => {
      const info = file.stat();
      const entry = entryOf(served, place, info, generation);
      const handle = handles.addFile(new OpenedFile(entry.node, file, 'to write'));
      return {
        encode: (out) => encodeCreated(out, entry.told, info, handle, noFlushOf(file)),
        undo() {
          given.close(handle);
          entry.undo?.();
          kernel.invalidatePlace(place.folder, name);
        },
      };
    }),
  );
}

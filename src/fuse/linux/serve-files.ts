import { after, isPromiseLike, recover } from '../../core/awaitable.ts';
import type { WritableFile } from '../../core/changes.ts';
import { FsError } from '../../core/errors.ts';
import { SET_ID_BITS } from '../../core/file-modes.ts';
import type { Awaitable, OpContext } from '../../core/resolver.ts';
import { type Answer, DONE, type Handlers } from './handler.ts';
import type { OpenedFile } from './handles.ts';
import type { Node } from './node-table.ts';
import { encodeCount, encodePosition, PAYLOAD } from './protocol/answer.ts';
import {
  decodeCopyFileRange,
  decodeFallocate,
  decodeHandle,
  decodeLseek,
  decodeRead,
  decodeWrite,
  type Request,
} from './protocol/request.ts';
import type { Served } from './served.ts';

/** SEEK_DATA and SEEK_HOLE of lseek(2): the kernel works out all other ways to seek itself. */
const SEEKS: ReadonlyMap<number, 'data' | 'hole'> = new Map([
  [3, 'data'],
  [4, 'hole'],
]);

/** Operations on open files. */
export function serveFiles(served: Served): Handlers {
  return {
    read: (request) => read(served, request),
    write: (request, context) => write(served, request, context),
    flush(request, context) {
      const handle = decodeHandle(request);
      if (served.handles.file(handle).writable === undefined) return DONE;
      return onWritable(served, handle, (file, { node, isWriter }) =>
        after(file.flush(context), () => {
          if (isWriter) noteWritten(node, file);
          return DONE;
        }),
      );
    },
    fsync(request, context) {
      const handle = decodeHandle(request);
      const opened = served.handles.file(handle);
      const synced =
        opened.writable === undefined
          ? // sync(1) opens a file only for reading.
            opened.during(() => opened.file.sync?.(context))
          : onWritable(served, handle, (file) => file.sync(context));
      return after(synced, () => DONE);
    },
    fallocate(request, context) {
      const { handle, mode, position, sizeBytes } = decodeFallocate(request);
      const allocated = onChanged(served, handle, (file) => {
        if (file.allocate) return file.allocate(mode, position, sizeBytes, context);
        throw new FsError('ENOTSUP', '', 'space is allocated in the scratchpad alone');
      });
      return after(allocated, () => DONE);
    },
    lseek: (request) => seek(served, request),
    copyFileRange: (request, context) => copyRange(served, request, context),
  };
}

/** After a refusal the kernel may believe in bytes, a size or a name that do not exist, so it is made to ask again. */
function onWritable<T>(
  { handles, kernel }: Served,
  handle: number,
  use: (file: WritableFile, opened: OpenedFile) => Awaitable<T>,
): Awaitable<T> {
  const opened = handles.file(handle);
  const { writable } = opened;
  if (writable === undefined) throw new FsError('EBADF', '', 'this file is not open to be written');
  return recover(
    () => opened.during(() => use(writable, opened)),
    (error): never => {
      kernel.invalidateAttributes(opened.node);
      kernel.invalidateSoon(opened.node);
      throw error;
    },
  );
}

/**
 * For changes that may clear set-user-ID and set-group-ID. The kernel leaves that to the tree, and does not ask for the mode again by itself: a
 * program that only wants the mode (`stat -c %a`) would be shown the old one.
 */
function onChanged<T>(
  served: Served,
  handle: number,
  change: (file: WritableFile) => Awaitable<T>,
): Awaitable<T> {
  const { node } = served.handles.file(handle);
  return after(onWritable(served, handle, change), (result) => {
    if ((node.info.mode & SET_ID_BITS) !== 0) served.kernel.invalidateAttributes(node);
    return result;
  });
}

function read(served: Served, request: Request): Awaitable<Answer> {
  const { handle, position, sizeBytes } = decodeRead(request);
  const opened = served.handles.file(handle);
  opened.node.wasRead = true;
  return readInto(served, sizeBytes, (target) => opened.during(() => opened.file.read(target, position)));
}

/** Reads straight into the buffer of the answer, so that bytes that are there at once need not be copied. */
function readInto(
  { output, keepOutput }: Pick<Served, 'output' | 'keepOutput'>,
  sizeBytes: number,
  read: (target: Uint8Array) => Awaitable<number>,
): Awaitable<Answer> {
  const filled = output();
  const target = filled.subarray(PAYLOAD, PAYLOAD + sizeBytes);
  const count = read(target);
  if (!isPromiseLike(count)) {
    requirePossible(count, target);
    return { encode: () => count };
  }
  const giveBack = keepOutput();
  return Promise.resolve(count).then(
    (count) => {
      requirePossible(count, target);
      return {
        encode(out) {
          filled.copy(out, PAYLOAD, PAYLOAD, PAYLOAD + count);
          giveBack();
          return count;
        },
      };
    },
    (error: unknown) => {
      giveBack();
      throw error;
    },
  );
}

function requirePossible(count: number, target: Uint8Array): void {
  if (Number.isInteger(count) && count >= 0 && count <= target.length) return;
  throw new TypeError(`a read of ${target.length} bytes answered ${count}`);
}

function write(served: Served, request: Request, context: OpContext): Awaitable<Answer> {
  const { handle, position, bytes, isAppended, isMapped } = decodeWrite(request);
  const way = isMapped ? 'mapped' : isAppended ? 'as opened' : 'in place';
  const sizeBytes = bytes.length;
  const { node } = served.handles.file(handle);
  return after(
    onChanged(served, handle, (file) => file.write(bytes, position, context, way)),
    (count) => {
      if (!Number.isInteger(count) || count < 0 || count > sizeBytes) {
        throw new TypeError(`a write of ${sizeBytes} bytes answered ${count}`);
      }
      const { info } = node;
      if (info.disk === undefined && position + count > info.sizeBytes)
        node.info = { ...info, sizeBytes: position + count };
      // If it took too long, the kernel was told that nothing was written.
      return { encode: (out) => encodeCount(out, count), undo: () => served.kernel.invalidateSoon(node) };
    },
  );
}

/** Notes that the kernel has all that was written through it. If the file is longer than that, others have appended bytes that it does not have. */
export function noteWritten(node: Node, file: WritableFile): void {
  const now = file.stat();
  if (now.disk !== undefined || now.sizeBytes <= node.info.sizeBytes) node.bytesAsOf = now;
  // When nobody has the file open any more and another one has its name, this is all that is still known of it.
  if (now.disk !== undefined) node.info = { ...node.info, sizeBytes: now.sizeBytes };
}

function seek({ handles }: Served, request: Request): Awaitable<Answer> {
  const { handle, position, whence } = decodeLseek(request);
  const to = SEEKS.get(whence);
  if (to === undefined) throw new FsError('EINVAL', '', `there is no such way to seek: ${whence}`);
  const opened = handles.file(handle);
  // A writer may have mapped pages that were read. What it stored there may fill a hole, and the kernel has yet to write it.
  const mayHaveMore = opened.node.wasRead && handles.lastWriterOf(opened.node) !== undefined;
  return after(
    opened.during(() => sought(opened, position, to, mayHaveMore)),
    (found) => ({ encode: (out) => encodePosition(out, found) }),
  );
}

/**
 * Finds data or a hole. A file that cannot tell where its holes are counts as all data, with a hole after its end.
 * @param isSolid whether to treat any file so, since what looks like a hole may be data
 */
function sought(
  { file }: OpenedFile,
  position: number,
  to: 'data' | 'hole',
  isSolid: boolean,
): Awaitable<number> {
  if (file.seek && !isSolid) return file.seek(position, to);
  const { sizeBytes } = file.stat?.() ?? file;
  if (position >= sizeBytes) throw new FsError('ENXIO', '', 'there is nothing past the end');
  return to === 'data' ? position : sizeBytes;
}

function copyRange(served: Served, request: Request, context: OpContext): Awaitable<Answer> {
  const { handle, targetHandle, position, targetPosition, sizeBytes } = decodeCopyFileRange(request);
  const source = served.handles.file(handle);
  const copied = onChanged(served, targetHandle, (file) =>
    source.during(() => file.copyFrom?.(source.file, position, targetPosition, sizeBytes, context)),
  );
  return after(copied, (count) => {
    // On this error the kernel copies by itself.
    if (count === undefined)
      throw new FsError('ENOTSUP', '', 'these files are copied by reading and writing');
    return { encode: (out) => encodeCount(out, count) };
  });
}

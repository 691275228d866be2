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

/** SEEK_DATA and SEEK_HOLE of lseek(2): the only ones that the kernel does not reckon itself. */
const SEEKS: ReadonlyMap<number, 'data' | 'hole'> = new Map([
  [3, 'data'],
  [4, 'hole'],
]);

/** What is done with open files. */
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
          ? // `sync FILE` opens it to read.
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

/** A refusal may have left the kernel with bytes, a size or a name that are not there. */
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
      kernel.forgetAttributes(opened.node);
      kernel.forgetSoon(opened.node);
      throw error;
    },
  );
}

/**
 * What changes a file may take set-user-ID and set-group-ID off it. The kernel leaves that to the tree, and does not ask for the mode again: who
 * wants to know nothing but the mode (`stat -c %a`) would be shown it as it was.
 */
function onChanged<T>(
  served: Served,
  handle: number,
  change: (file: WritableFile) => Awaitable<T>,
): Awaitable<T> {
  const { node } = served.handles.file(handle);
  return after(onWritable(served, handle, change), (result) => {
    if ((node.info.mode & SET_ID_BITS) !== 0) served.kernel.forgetAttributes(node);
    return result;
  });
}

function read(served: Served, request: Request): Awaitable<Answer> {
  const { handle, position, sizeBytes } = decodeRead(request);
  const opened = served.handles.file(handle);
  opened.node.wasRead = true;
  return readInto(served, sizeBytes, (target) => opened.during(() => opened.file.read(target, position)));
}

/** Reads into the buffer of the answer itself: what is read at once is not copied. */
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
      // Where it took too long, the kernel was told that nothing was written.
      return { encode: (out) => encodeCount(out, count), undo: () => served.kernel.forgetSoon(node) };
    },
  );
}

/** The kernel has what was written by it; what others have appended before that is not among it, and shows in the size. */
export function noteWritten(node: Node, file: WritableFile): void {
  const now = file.stat();
  if (now.disk !== undefined || now.sizeBytes <= node.info.sizeBytes) node.bytesAsOf = now;
  // Who has looked it up may ask after another has taken its name and nobody has it open: then this is all that is known of it.
  if (now.disk !== undefined) node.info = { ...node.info, sizeBytes: now.sizeBytes };
}

function seek({ handles }: Served, request: Request): Awaitable<Answer> {
  const { handle, position, whence } = decodeLseek(request);
  const to = SEEKS.get(whence);
  if (to === undefined) throw new FsError('EINVAL', '', `there is no such way to seek: ${whence}`);
  const opened = handles.file(handle);
  // Who may write may have mapped what was read, and what was stored there the kernel has yet to write.
  const mayHaveMore = opened.node.wasRead && handles.lastWriterOf(opened.node) !== undefined;
  return after(
    opened.during(() => sought(opened, position, to, mayHaveMore)),
    (found) => ({ encode: (out) => encodePosition(out, found) }),
  );
}

/**
 * A file that does not know of holes is all data, with a hole after its end.
 * @param isSolid whether what looks like a hole may be none
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
    // The kernel copies by itself then.
    if (count === undefined)
      throw new FsError('ENOTSUP', '', 'these files are copied by reading and writing');
    return { encode: (out) => encodeCount(out, count) };
  });
}

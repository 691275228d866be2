import { after, recover } from '../../core/awaitable.ts';
import type { WritableFile } from '../../core/changes.ts';
import { FsError } from '../../core/errors.ts';
import type { Awaitable, OpContext } from '../../core/resolver.ts';
import type { KernelView } from './kernel-view.ts';
import type { OpenedFile } from './open-files.ts';
import type { Serve, Served } from './operations.ts';
import { wideNumber } from './wide-numbers.ts';

/** Serves operations on the handle of a file that is open for writing. */
export function serveWrites(serve: Serve, served: Served): void {
  const { files } = served;
  serve<'write', number>('write', {
    run: (context, path, handle, bytes, sizeBytes, low, high) =>
      onHandle(served, files.get(handle, path), path, (file, opened) =>
        writeTo(served, opened, file, bytes.subarray(0, sizeBytes), wideNumber(low, high), context),
      ),
    encode(count, _path, _handle, bytes, sizeBytes) {
      if (!Number.isInteger(count) || count < 0 || count > sizeBytes) {
        throw new TypeError(`a write of ${sizeBytes} bytes answered ${count}`);
      }
      return [count, 0, bytes.buffer];
    },
    blank: (_path, _handle, bytes) => [0, bytes.buffer],
  });
  serve<'ftruncate', void>('ftruncate', {
    run: (context, path, handle, low, high) =>
      onHandle(served, files.get(handle, path), path, (file, opened) =>
        after(file.truncate(wideNumber(low, high), context), () => {
          files.resized(opened.path, file.sizeBytes);
          noteSize(served, opened, file.sizeBytes);
        }),
      ),
    encode: () => [0],
    blank: () => [],
  });
  serve<'flush', void>('flush', {
    run(context, path, handle) {
      const opened = files.get(handle, path);
      if (!opened.version.writable) return undefined;
      return onHandle(served, opened, path, (file) => file.flush(context));
    },
    encode: () => [0],
    blank: () => [],
  });
  serve<'fsync', void>('fsync', {
    run(context, path, _dataOnly, handle) {
      const opened = files.get(handle, path);
      const { version } = opened;
      if (version.writable) return onHandle(served, opened, path, (file) => file.sync(context));
      // sync(1) opens a file only for reading.
      return version.during(() => version.file.sync?.(context));
    },
    encode: () => [0],
    blank: () => [],
  });
}

/** Writes bytes where they belong, and notes what the kernel believes of the file from then on. @returns how many were written */
export function writeTo(
  served: Pick<Served, 'files' | 'view' | 'invalidateNow'>,
  opened: OpenedFile,
  file: WritableFile,
  bytes: Uint8Array,
  position: number,
  context: OpContext,
): Awaitable<number> {
  const { files, view } = served;
  const way = opened.creator?.wayOf(position, bytes.byteLength, view.toldSizeBytes(opened.path));
  return after(file.write(bytes, position, context, way), (count) => {
    opened.creator?.wrote(file.sizeBytes);
    const end = sizeAfter(view, opened, position + count);
    files.resized(opened.path, end, opened);
    noteSize(served, opened, end);
    return count;
  });
}

/** After a refusal, the kernel may believe in bytes, a size or a name that do not exist, so it is made to ask again. */
function onHandle<T>(
  { view, invalidateNow }: Served,
  opened: OpenedFile,
  path: string,
  use: (file: WritableFile, opened: OpenedFile) => Awaitable<T>,
): Awaitable<T> {
  const { writable } = opened.version;
  if (!writable) throw new FsError('EBADF', path, 'this file is not open to be written');
  return recover(
    () => opened.version.during(() => use(writable, opened)),
    (error): never => {
      view.change([opened.path]);
      invalidateNow(opened.path);
      throw error;
    },
  );
}

/** Where the kernel believes that a file ends once it has written up to `end`, even if the bytes went elsewhere. */
function sizeAfter(view: KernelView, { path, version }: OpenedFile, end: number): number {
  const toldSizeBytes = view.toldSizeBytes(path);
  return toldSizeBytes === undefined ? version.file.sizeBytes : Math.max(toldSizeBytes, end);
}

/** The kernel computes the new size for this name, but not for the other names of the file. */
function noteSize(
  { view, invalidateNow }: Pick<Served, 'view' | 'invalidateNow'>,
  { path }: OpenedFile,
  sizeBytes: number,
): void {
  view.tell(path, sizeBytes, view.generation);
  if (view.hasOtherNames(path)) invalidateNow(path);
}

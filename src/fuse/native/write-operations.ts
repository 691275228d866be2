import { after, recover } from '../../core/awaitable.ts';
import type { WritableFile } from '../../core/changes.ts';
import { FsError } from '../../core/errors.ts';
import type { Awaitable } from '../../core/resolver.ts';
import type { OpenedFile, OpenFiles } from './open-files.ts';
import type { Serve, Served } from './operations.ts';
import { wideNumber } from './wide-numbers.ts';

/** What is done with the handle of a file that is open to be written. */
export function serveWrites(serve: Serve, served: Served, files: OpenFiles): void {
  serve<'write', number>('write', {
    run: (context, path, handle, bytes, sizeBytes, low, high) =>
      onHandle(served, files.get(handle, path), path, (file, opened) => {
        const written = file.write(bytes.subarray(0, sizeBytes), wideNumber(low, high), context);
        return after(written, (count) => {
          noteSize(served, opened);
          return count;
        });
      }),
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
        after(file.truncate(wideNumber(low, high), context), () => noteSize(served, opened)),
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
      // `sync FILE` opens it to read.
      return version.during(() => version.file.sync?.(context));
    },
    encode: () => [0],
    blank: () => [],
  });
}

/** A refusal may have left the kernel with bytes, a size or a name that are not there. */
function onHandle<T>(
  { view, forgetNow }: Served,
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
      forgetNow(opened.path);
      throw error;
    },
  );
}

/** The kernel reckons the size itself; its other names for the file do not. */
function noteSize({ view, forgetNow }: Served, { path, version }: OpenedFile): void {
  view.tell(path, version.file.sizeBytes, view.generation);
  if (view.hasOtherNames(path)) forgetNow(path);
}

import { constants as fileConstants } from 'node:fs';
import { constants } from 'node:os';
import { after, recover } from '../../core/awaitable.ts';
import type { WritableFile } from '../../core/changes.ts';
import { isFsError } from '../../core/errors.ts';
import { PERMISSION_BITS } from '../../core/file-modes.ts';
import { parsePath, type VfsPath } from '../../core/paths.ts';
import type { Awaitable, OpContext, OpenFile } from '../../core/resolver.ts';
import { RecentFiles } from '../recent-files.ts';
import { opensToWrite } from '../request-values.ts';
import type { OpenedFile } from './open-files.ts';
import type { Serve, Served } from './operations.ts';
import { wideNumber } from './wide-numbers.ts';
import { serveWrites } from './write-operations.ts';

const { O_APPEND } = fileConstants;
const { ENOSYS, ESTALE } = constants.errno;

/** The part of open files that changes of the tree concern. */
export interface ServedFiles {
  change(paths: readonly VfsPath[]): void;
  /** Whether somebody may have one of these files open, or a file below them. */
  mayBeInUse(paths: readonly VfsPath[]): boolean;
}

/** The result of an open. */
type Opened =
  | { readonly path: VfsPath; readonly file: OpenFile }
  /**
   * The file has lost its name since the kernel looked it up, or it was opened by its descriptor (`/proc/self/fd`). A reader gets what others have open; a
   * writer has to look for the file that has the name now.
   */
  | { readonly known: OpenedFile | undefined };

/** Serves the files of a mount whose opens are seen. */
export function serveOpens(serve: Serve, serveNames: Serve, served: Served): ServedFiles {
  const { vfs, view, files, hidden } = served;
  serveNames<'open', Opened>('open', {
    run(context, text, flags) {
      const path = parsePath(text);
      const known = hidden.fileAt(path);
      if (known) return { known: opensToWrite(flags) ? undefined : known };
      // This comes before the open, so that the history does not record it twice.
      if (view.sendsBack(path)) return { known: undefined };
      const open = (): Awaitable<Opened> =>
        after(openAs(served, path, flags, context), (file) => ({ path, file }));
      return opensToWrite(flags) ? unlessGone(open) : open();
    },
    encode(opened) {
      if ('known' in opened) return opened.known ? [0, files.share(opened.known)] : [-ESTALE, 0];
      const { path, file } = opened;
      if (view.sendsBack(path, file.sizeBytes)) {
        file.close();
        return [-ESTALE, 0];
      }
      return [0, files.add(path, file)];
    },
    blank: () => [0],
    discard: (opened) => {
      if ('file' in opened) opened.file.close();
    },
  });
  serveNames<'create', { path: VfsPath; file: WritableFile } | 'there already'>('create', {
    run(context, text, mode) {
      const path = parsePath(text);
      const options = { append: false, truncate: false, exclusive: true, mode: mode & PERMISSION_BITS };
      return unlessThere(() => after(vfs.create(path, options, context), (file) => ({ path, file })));
    },
    encode(created, text) {
      if (created === 'there already') {
        // The kernel did not know of the file. It looks again, finds the file, and opens or refuses it as the caller asked.
        view.sentBack(parsePath(text));
        return [-ESTALE, 0];
      }
      return [0, files.addCreated(created.path, created.file)];
    },
    blank: () => [0],
    discard: (created) => {
      if (created !== 'there already') created.file.close();
    },
  });
  serveReads(serve, ({ handle, path, sizeBytes, position }) =>
    files.get(handle, path).version.read(sizeBytes, position),
  );
  serve<'release', undefined>('release', {
    run(_context, _path, handle) {
      files.release(handle);
      return undefined;
    },
    encode: () => [0],
    blank: () => [],
  });
  // If these are not served, the kernel stops sending a request for each close, which a read-only mount does not need.
  if (!served.readOnly) serveWrites(serve, served);
  // A handle keeps the version that it opened.
  return { change() {}, mayBeInUse: (paths) => files.hasBelow(paths) };
}

function unlessThere<T>(create: () => Awaitable<T>): Awaitable<T | 'there already'> {
  return recover(create, (error): 'there already' => {
    if (isFsError(error, 'EEXIST')) return 'there already';
    throw error;
  });
}

function openAs({ vfs }: Served, path: VfsPath, flags: number, context: OpContext): Awaitable<OpenFile> {
  if (!opensToWrite(flags)) return vfs.open(path, context);
  return vfs.openToWrite(
    path,
    // O_TRUNC comes as a separate truncate.
    { append: (flags & O_APPEND) !== 0, truncate: false },
    context,
  );
}

/**
 * Handles a file that another program or mount has removed since the kernel looked it up. The kernel is made to look again: it does not pass on O_CREAT, and a
 * caller who gave that flag must get a new file and not ENOENT.
 */
function unlessGone(open: () => Awaitable<Opened>): Awaitable<Opened> {
  return recover(open, (error): Opened => {
    if (isFsError(error, 'ENOENT')) return { known: undefined };
    throw error;
  });
}

/** Serves the files of a mount whose opens are not seen: after one ENOSYS, the kernel opens files itself for as long as the mount lives. */
export function serveUnseenOpens(serve: Serve, { vfs }: Served): ServedFiles {
  const files = new RecentFiles((path, context) => vfs.open(path, context));
  serve<'open', undefined>('open', { run: () => undefined, encode: () => [-ENOSYS, 0], blank: () => [0] });
  serveReads(serve, ({ path, sizeBytes, position, context }) =>
    files.read(parsePath(path), { sizeBytes, position }, context),
  );
  return { change: (paths) => files.change(paths), mayBeInUse: () => true };
}

interface ReadRequest {
  readonly context: OpContext;
  readonly path: string;
  readonly handle: number;
  readonly sizeBytes: number;
  readonly position: number;
}

function serveReads(serve: Serve, read: (request: ReadRequest) => Awaitable<Uint8Array>): void {
  serve<'read', Uint8Array>('read', {
    run: (context, path, handle, _target, sizeBytes, low, high) =>
      read({ context, path, handle, sizeBytes, position: wideNumber(low, high) }),
    encode(bytes, _path, _handle, target) {
      target.set(bytes);
      return [bytes.length, 0, target.buffer];
    },
    blank: (_path, _handle, target) => [0, target.buffer],
  });
}

import { constants as fileConstants } from 'node:fs';
import { constants } from 'node:os';
import { after } from '../../core/awaitable.ts';
import { parsePath, type VfsPath } from '../../core/paths.ts';
import type { Awaitable, OpContext, OpenFile } from '../../core/resolver.ts';
import { OpenFiles } from './open-files.ts';
import type { Serve, Served } from './operations.ts';
import { RecentFiles } from './recent-files.ts';

const { O_RDONLY, O_RDWR, O_WRONLY } = fileConstants;
const ACCESS_MODE = O_RDONLY | O_WRONLY | O_RDWR;
const { ENOSYS, ESTALE } = constants.errno;
const TWO_TO_32 = 2 ** 32;

/** What open files have to do with changes of the tree. */
export interface ServedFiles {
  change(paths: readonly VfsPath[]): void;
  /** Whether somebody may have a file of these open, or of what lies below them. */
  mayBeInUse(paths: readonly VfsPath[]): boolean;
}

/** Files of a mount whose opens are seen. */
export function serveOpens(serve: Serve, { vfs, view }: Served): ServedFiles {
  const files = new OpenFiles();
  serve<'open', { path: VfsPath; file: OpenFile }>('open', {
    run(context, text, flags) {
      const path = parsePath(text);
      if ((flags & ACCESS_MODE) !== O_RDONLY) return vfs.refuseChange('write', path, context);
      return after(vfs.open(path, context), (file) => ({ path, file }));
    },
    encode({ path, file }) {
      if (!view.sendsBack(path, file.sizeBytes)) return [0, files.add(path, file)];
      file.close();
      return [-ESTALE, 0];
    },
    blank: () => [0],
    discard: ({ file }) => file.close(),
  });
  serveReads(serve, ({ handle, path, sizeBytes, position }) => files.read(handle, path, sizeBytes, position));
  serve<'release', undefined>('release', {
    run(_context, _path, handle) {
      files.release(handle);
      return undefined;
    },
    encode: () => [0],
    blank: () => [],
  });
  // A handle keeps the version it opened.
  return { change() {}, mayBeInUse: (paths) => files.hasBelow(paths) };
}

/** Files of a mount whose opens the kernel does not send: after one ENOSYS it opens by itself for as long as the mount lives. */
export function serveUnseenOpens(serve: Serve, { vfs }: Served): ServedFiles {
  const files = new RecentFiles((path, context) => vfs.open(path, context));
  serve<'open', undefined>('open', { run: () => undefined, encode: () => [-ENOSYS, 0], blank: () => [0] });
  serveReads(serve, ({ path, sizeBytes, position, context }) =>
    files.read(parsePath(path), sizeBytes, position, context),
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
      read({ context, path, handle, sizeBytes, position: low + high * TWO_TO_32 }),
    encode(bytes, _path, _handle, target) {
      target.set(bytes);
      return [bytes.length, 0, target.buffer];
    },
    blank: (_path, _handle, target) => [0, target.buffer],
  });
}

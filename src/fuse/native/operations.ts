import { after, recover } from '../../core/awaitable.ts';
import type { Space } from '../../core/changes.ts';
import { FsError, isFsError } from '../../core/errors.ts';
import { MAX_PATH_BYTES, parsePath, type VfsPath } from '../../core/paths.ts';
import type { Attributes, Awaitable, DirEntry, NodeInfo } from '../../core/resolver.ts';
import type { Vfs } from '../../vfs/vfs.ts';
import { type Description, descriptionOf } from '../described-file.ts';
import { canBeListed } from '../listed-names.ts';
import {
  blankAttributes,
  encodeAttributes,
  fileSystemFigures,
  NO_ATTRIBUTES,
  NO_FIGURES,
  TYPE_ONLY,
} from './attributes.ts';
import type { Operation } from './binding.ts';
import type { Service } from './guard.ts';
import type { HiddenFiles } from './hidden-files.ts';
import type { KernelView } from './kernel-view.ts';
import type { OpenFiles } from './open-files.ts';

/** Registers the service that answers an operation of libfuse. */
export type Serve = <K extends Operation, T>(operation: K, service: Service<K, T>) => void;

/** What the operations of a mount work on. */
export interface Served {
  readonly vfs: Vfs;
  readonly view: KernelView;
  readonly files: OpenFiles;
  readonly hidden: HiddenFiles;
  /** Whether the kernel refuses every change without asking. */
  readonly readOnly: boolean;
  /** To be called when the kernel looks a path up. */
  readonly lookedUp: (path: VfsPath) => void;
  /** Makes the kernel drop what it knows of a path before it gets the answer to the request that is being served. */
  readonly invalidateNow: (path: VfsPath) => void;
  readonly report: (error: unknown, activity: string) => void;
}

/** What a path describes: the open file that has it as its hidden name, else what the tree has there. */
export function descriptionAt({ vfs, hidden }: Pick<Served, 'vfs' | 'hidden'>, path: VfsPath): Description {
  const ofOpen = descriptionOf(hidden.fileAt(path)?.version);
  return (
    ofOpen ?? {
      changeMode: (mode, context) => vfs.changeMode(path, mode, context),
      changeOwner: (owner, context) => vfs.changeOwner(path, owner, context),
      changeTimes: (times, context) => vfs.changeTimes(path, times, context),
      attributes: (context) => vfs.attributes(path, context),
      setAttribute: (name, value, use, context) => vfs.setAttribute(path, name, value, use, context),
      removeAttribute: (name, context) => vfs.removeAttribute(path, name, context),
    }
  );
}

/** For operations whose only answer is that they are done. */
export const NOTHING_BUT_DONE = { encode: (): [number] => [0], blank: (): [] => [] };

/** To be called after a change of a file by one of its names: the kernel does not know yet that the change shows under its other names, too. */
export function inAllNames(
  { view, invalidateNow }: Pick<Served, 'view' | 'invalidateNow'>,
  path: VfsPath,
  changed: Awaitable<void>,
): Awaitable<void> {
  if (!view.hasOtherNames(path)) return changed;
  return after(changed, () => invalidateNow(path));
}

/**
 * Serves the operations that only read the tree, which are the same for every mount. Left out on purpose are access (the kernel checks modes itself),
 * opendir and releasedir (a listing needs no handle; fuse-native passes wrong flags, and libfuse 2 crashes on ENOSYS), and fgetattr (libfuse only sends it
 * after a create).
 */
export function serveTree(serve: Serve, { vfs, view, files, hidden, lookedUp, report }: Served): void {
  const attributes = blankAttributes();
  serve<'statfs', Space>('statfs', {
    run: (context, text) => vfs.space(parsePath(text), context),
    encode: (space) => [0, fileSystemFigures(space)],
    blank: () => [NO_FIGURES],
  });
  serve<'getattr', { path: VfsPath; info: NodeInfo; generation: number; isHidden?: true }>('getattr', {
    run(context, text) {
      const path = parsePath(text);
      const { generation } = view;
      const info = hidden.fileAt(path)?.version.file.stat?.();
      if (info) return { path, info, generation, isHidden: true };
      lookedUp(path);
      const stated = noteMiss(view, path, () => vfs.stat(path, context));
      return after(stated, (info) => ({ path, info, generation }));
    },
    encode({ path, info, generation, isHidden }) {
      const encoded = encodeAttributes(isHidden ? withHiddenName(info) : info, attributes);
      if (info.kind !== 'directory') {
        view.tell(path, info.sizeBytes, generation, info.disk?.links);
        files.shown(path, info.sizeBytes);
      }
      return [0, encoded];
    },
    blank: () => [NO_ATTRIBUTES],
  });
  serve<'readdir', readonly DirEntry[]>('readdir', {
    run: (context, text) => vfs.list(parsePath(text), context),
    encode(entries, path) {
      const names = ['.', '..'];
      const types = [TYPE_ONLY.directory, TYPE_ONLY.directory];
      for (const { name, kind } of entries) {
        if (!canBeListed(name)) {
          report(new Error(`a name that no file can have, in ${path}: ${JSON.stringify(name)}`), 'readdir');
          continue;
        }
        names.push(name);
        types.push(TYPE_ONLY[kind]);
      }
      return [0, names, types];
    },
    blank: () => [[], []],
  });
  serve<'readlink', string>('readlink', {
    run: (context, text) => vfs.readLink(parsePath(text), context),
    encode(target, path) {
      if (Buffer.byteLength(target) > MAX_PATH_BYTES)
        throw new FsError('ENAMETOOLONG', path, 'the target is too long');
      return [0, target];
    },
    blank: () => [''],
  });
}

/**
 * libfuse 2 subtracts one link from a file that it has hidden, for the hidden name that it believes to exist. It does not in the answer to a change, and from no
 * link it never does.
 */
function withHiddenName(info: NodeInfo): NodeInfo {
  if (info.disk === undefined || info.disk.links === 0) return info;
  return { ...info, disk: { ...info.disk, links: info.disk.links + 1 } };
}

function noteMiss(view: KernelView, path: VfsPath, stat: () => Awaitable<NodeInfo>): Awaitable<NodeInfo> {
  return recover(stat, (error): never => {
    if (isFsError(error, 'ENOENT')) view.miss(path);
    throw error;
  });
}

/** Serves extended attributes. Those of `user.` come from the tree; others (`system.posix_acl_access`, `security.…`) do not exist. */
export function serveAttributes(serve: Serve, served: Served): void {
  serve<'getxattr', string | Uint8Array | undefined>('getxattr', {
    run(context, text, name) {
      const path = parsePath(text);
      if (!name.startsWith('user.')) throw new FsError('ENOTSUP', path, `there are no ${name} attributes`);
      return after(descriptionAt(served, path).attributes(context), (attributes) => attributes.get(name));
    },
    encode(value, path, name, target) {
      if (value === undefined) throw new FsError('ENODATA', path, `there is no attribute ${name}`);
      return [fill(target, Buffer.from(value), path), target.buffer];
    },
    blank: (_path, _name, target) => [target.buffer],
  });
  serve<'listxattr', Attributes>('listxattr', {
    run: (context, text) => descriptionAt(served, parsePath(text)).attributes(context),
    encode(attributes, path, target) {
      const names = [...attributes.keys()].map((name) => `${name}\0`).join('');
      return [fill(target, Buffer.from(names), path), target.buffer];
    },
    blank: (_path, target) => [target.buffer],
  });
}

/** An empty target asks for the length alone. @returns the length */
function fill(target: Buffer, bytes: Buffer, path: string): number {
  if (target.length > 0 && bytes.length > target.length)
    throw new FsError('ERANGE', path, 'the buffer is too small');
  bytes.copy(target);
  return bytes.length;
}

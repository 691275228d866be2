import { after, recover } from '../../core/awaitable.ts';
import type { Space } from '../../core/changes.ts';
import { FsError, isFsError } from '../../core/errors.ts';
import { MAX_PATH_BYTES, parsePath, type VfsPath } from '../../core/paths.ts';
import type { Attributes, Awaitable, DirEntry, NodeInfo } from '../../core/resolver.ts';
import type { Vfs } from '../../vfs/vfs.ts';
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
import type { KernelView } from './kernel-view.ts';

/** Puts a service in its place. */
export type Serve = <K extends Operation, T>(operation: K, service: Service<K, T>) => void;

export interface Served {
  readonly vfs: Vfs;
  readonly view: KernelView;
  /** The kernel refuses every change by itself. */
  readonly readOnly: boolean;
  /** Says that the kernel looks a path up. */
  readonly lookedUp: (path: VfsPath) => void;
  /** Has the kernel ask anew for what it knows of a path, before the request that is being served is answered. */
  readonly forgetNow: (path: VfsPath) => void;
  /** What is open under a hidden name; undefined for other paths. */
  readonly hiddenInfo: (path: VfsPath) => NodeInfo | undefined;
  readonly report: (error: unknown, activity: string) => void;
}

/** For operations that answer nothing but that they are done. */
export const NOTHING_BUT_DONE = { encode: (): [number] => [0], blank: (): [] => [] };

/** After a change of a file: its other names know nothing of one made by this one. */
export function inAllNames(
  { view, forgetNow }: Pick<Served, 'view' | 'forgetNow'>,
  path: VfsPath,
  changed: Awaitable<void>,
): Awaitable<void> {
  if (!view.hasOtherNames(path)) return changed;
  return after(changed, () => forgetNow(path));
}

/**
 * What is the same for every mount. Not served, on purpose: access (the kernel checks modes), opendir and releasedir (a listing needs no
 * handle; fuse-native passes wrong flags, and libfuse 2 crashes on ENOSYS), fgetattr (libfuse asks it after a create alone).
 */
export function serveTree(serve: Serve, { vfs, view, lookedUp, hiddenInfo, report }: Served): void {
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
      const hidden = hiddenInfo(path);
      if (hidden) return { path, info: hidden, generation, isHidden: true };
      lookedUp(path);
      const stated = noteMiss(view, path, () => vfs.stat(path, context));
      return after(stated, (info) => ({ path, info, generation }));
    },
    encode({ path, info, generation, isHidden }) {
      const encoded = encodeAttributes(isHidden ? withHiddenName(info) : info, attributes);
      if (info.kind !== 'directory') view.tell(path, info.sizeBytes, generation, info.disk?.links);
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

/** libfuse 2 takes one off the names of a file that it has hidden, for the name that it thinks is there. */
function withHiddenName(info: NodeInfo): NodeInfo {
  return info.disk === undefined ? info : { ...info, disk: { ...info.disk, links: info.disk.links + 1 } };
}

function noteMiss(view: KernelView, path: VfsPath, stat: () => Awaitable<NodeInfo>): Awaitable<NodeInfo> {
  return recover(stat, (error): never => {
    if (isFsError(error, 'ENOENT')) view.miss(path);
    throw error;
  });
}

/** Extended attributes: those of `user.` come from the tree, others (`system.posix_acl_access`, `security.…`) there are none. */
export function serveAttributes(serve: Serve, { vfs }: Served): void {
  serve<'getxattr', string | Uint8Array | undefined>('getxattr', {
    run(context, text, name) {
      const path = parsePath(text);
      if (!name.startsWith('user.')) throw new FsError('ENOTSUP', path, `there are no ${name} attributes`);
      return after(vfs.attributes(path, context), (attributes) => attributes.get(name));
    },
    encode(value, path, name, target) {
      if (value === undefined) throw new FsError('ENODATA', path, `there is no attribute ${name}`);
      return [fill(target, Buffer.from(value), path), target.buffer];
    },
    blank: (_path, _name, target) => [target.buffer],
  });
  serve<'listxattr', Attributes>('listxattr', {
    run: (context, text) => vfs.attributes(parsePath(text), context),
    encode(attributes, path, target) {
      const names = [...attributes.keys()].map((name) => `${name}\0`).join('');
      return [fill(target, Buffer.from(names), path), target.buffer];
    },
    blank: (_path, target) => [target.buffer],
  });
}

/** An empty target asks for the length. @returns the length */
function fill(target: Buffer, bytes: Buffer, path: string): number {
  if (target.length > 0 && bytes.length > target.length)
    throw new FsError('ERANGE', path, 'the buffer is too small');
  bytes.copy(target);
  return bytes.length;
}

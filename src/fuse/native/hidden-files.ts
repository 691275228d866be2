import { setTimeout } from 'node:timers';
import { after, isPromiseLike, recover } from '../../core/awaitable.ts';
import { isFsError } from '../../core/errors.ts';
import type { VfsPath } from '../../core/paths.ts';
import type { Awaitable, NodeInfo, OpContext } from '../../core/resolver.ts';
import type { Vfs } from '../../vfs/vfs.ts';
import type { OpenedFile, OpenFiles } from './open-files.ts';

/** The name that `hide_node` of libfuse 2 gives to an open file that is unlinked or replaced by a rename. */
const HIDDEN_NAME = /\/\.fuse_hidden[0-9a-f]{16}$/;

/** A rename over an open file follows its hiding within microseconds. This is longer, for a busy machine. */
const RENAME_WITHIN_MS = 20;

const NO_CALLER: OpContext = {};

export function isHiddenName(path: VfsPath): boolean {
  return HIDDEN_NAME.test(path);
}

/**
 * libfuse 2 never removes an open file: it renames the file to a hidden name, and removes that name at the last close. Trees do not need that, since an open
 * file outlives its name here. So a hiding is taken for the removal, and the hidden name is only the name by which the kernel knows the open file.
 *
 * But a hiding may also be the first half of a rename over the open file, and nothing tells the two apart. If the file was removed at once, there would be a
 * moment without any file of that name, which a crash would make permanent. So the removal waits for the next request. If that is the rename, there is nothing
 * to remove. If it is any other request that looks at names, or none comes soon, the removal is done first.
 */
export class HiddenFiles {
  readonly #vfs: Vfs;
  readonly #files: OpenFiles;
  readonly #report: (error: unknown) => void;
  #waiting: { readonly path: VfsPath; readonly meant: NodeInfo | undefined } | undefined;
  /** A removal that is running, in a tree that takes its time. */
  #removing: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(vfs: Vfs, files: OpenFiles, report: (error: unknown) => void) {
    this.#vfs = vfs;
    this.#files = files;
    this.#report = report;
  }

  /** Whether a removal waits for the next request, or is still running. */
  get isWaiting(): boolean {
    return this.#waiting !== undefined || this.#removing !== undefined;
  }

  /** @throws FsError if the file cannot be removed */
  hide(path: VfsPath, hidden: VfsPath, context: OpContext): Awaitable<void> {
    // The file was closed a moment ago, which libfuse has yet to notice, or a caller has chosen such a name. The name is then like any other.
    const opened = this.#files.liveAt(path);
    if (opened === undefined) return this.#vfs.rename(path, hidden, context);
    const meant = opened.version.file.stat?.();
    // A rename to the same name changes nothing, but fails if nothing may be renamed or removed.
    const allowed = this.#vfs.rename(path, path, context);
    const note = (): Awaitable<void> => {
      // Another file may have been hidden while the tree took its time.
      if (this.isWaiting) return after(this.settle(), note);
      this.#files.move(path, hidden);
      this.#waiting = { path, meant };
      this.#timer = setTimeout(() => void this.settle(), RENAME_WITHIN_MS);
    };
    return after(allowed, note);
  }

  /** To be called before a request that looks at names. @param renamedTo the new path if the request is a rename */
  settle(renamedTo?: VfsPath): Awaitable<void> {
    // The caller waits for a removal that is running: what a rename put there meanwhile would be removed in its place.
    if (this.#waiting === undefined) return this.#removing;
    const { path, meant } = this.#waiting;
    clearTimeout(this.#timer);
    this.#waiting = undefined;
    if (path === renamedTo) return undefined;
    const removed = this.#removed(path, meant);
    if (!isPromiseLike(removed)) return removed;
    this.#removing = Promise.resolve(removed).finally(() => {
      this.#removing = undefined;
    });
    return this.#removing;
  }

  /** The open file behind a hidden name; undefined if the path is no hidden name, or nobody has the file open. */
  fileAt(path: VfsPath): OpenedFile | undefined {
    return isHiddenName(path) ? this.#files.liveAt(path) : undefined;
  }

  /** Removes the file, unless another mount or a program on the disk has put another file there meanwhile. */
  #removed(path: VfsPath, meant: NodeInfo | undefined): Awaitable<void> {
    return recover(
      () =>
        after(this.#vfs.stat(path, NO_CALLER), (now) =>
          meant === undefined || isSameFile(meant, now) ? this.#vfs.remove(path, NO_CALLER) : undefined,
        ),
      (error) => {
        if (!isFsError(error, 'ENOENT')) this.#report(error);
      },
    );
  }
}

/** The inode number of a file that is gone may have been reused, so the time of birth is compared, too. */
function isSameFile(one: NodeInfo, other: NodeInfo): boolean {
  return one.inode === other.inode && one.disk?.bornNs === other.disk?.bornNs;
}

import { setTimeout } from 'node:timers';
import { after, isPromiseLike, recover } from '../../core/awaitable.ts';
import { isFsError } from '../../core/errors.ts';
import type { VfsPath } from '../../core/paths.ts';
import type { Awaitable, NodeInfo, OpContext } from '../../core/resolver.ts';
import type { Vfs } from '../../vfs/vfs.ts';
import type { OpenedFile, OpenFiles } from './open-files.ts';

/** What `hide_node` of libfuse 2 calls a file that is unlinked, or replaced by a rename, while somebody has it open. */
const HIDDEN_NAME = /\/\.fuse_hidden[0-9a-f]{16}$/;

/** A rename that replaces an open file follows its hiding within microseconds; a busy machine gets longer. */
const RENAME_WITHIN_MS = 20;

const NO_CALLER: OpContext = {};

export function isHiddenName(path: VfsPath): boolean {
  return HIDDEN_NAME.test(path);
}

/**
 * libfuse 2 never removes a file that is open: it renames it to a hidden name and removes that at the last close. Trees here know better:
 * an open file outlives its name. So a hiding is the removal, and the hidden name is only what the kernel calls the open file by.
 *
 * But the hiding may also be the first half of a rename over the open file, and nothing tells which. A removal then would leave a moment
 * without any file of that name, for a crash to keep. So it waits for the next request: if that is the rename, there is nothing to
 * remove; if it is anything else that looks at names, or none comes soon, the removal is made first.
 */
export class HiddenFiles {
  readonly #vfs: Vfs;
  readonly #files: OpenFiles;
  readonly #report: (error: unknown) => void;
  #waiting: { readonly path: VfsPath; readonly meant: NodeInfo | undefined } | undefined;
  /** Under way in a tree that takes its time. */
  #removing: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(vfs: Vfs, files: OpenFiles, report: (error: unknown) => void) {
    this.#vfs = vfs;
    this.#files = files;
    this.#report = report;
  }

  /** Whether a removal waits for the next request, or is not done yet. */
  get isWaiting(): boolean {
    return this.#waiting !== undefined || this.#removing !== undefined;
  }

  /** @throws FsError where the file cannot be removed */
  hide(path: VfsPath, hidden: VfsPath, context: OpContext): Awaitable<void> {
    // It was closed a moment ago, which libfuse has yet to note; or a caller likes such names. Then the name is like any other.
    const opened = this.#files.liveAt(path);
    if (opened === undefined) return this.#vfs.rename(path, hidden, context);
    const meant = opened.version.file.stat?.();
    // A rename to itself does nothing, but is refused where nothing may be renamed or removed.
    const allowed = this.#vfs.rename(path, path, context);
    const note = (): Awaitable<void> => {
      // Another one may have been hidden while the tree took its time.
      if (this.isWaiting) return after(this.settle(), note);
      this.#files.move(path, hidden);
      this.#waiting = { path, meant };
      this.#timer = setTimeout(() => void this.settle(), RENAME_WITHIN_MS);
    };
    return after(allowed, note);
  }

  /** To be called before a request that looks at names. @param renamedTo where the request is a rename */
  settle(renamedTo?: VfsPath): Awaitable<void> {
    // What a rename put there meanwhile would be removed in its place.
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

  /** The open file behind a hidden name; undefined where the path is of another kind, or nobody has it open. */
  fileAt(path: VfsPath): OpenedFile | undefined {
    return isHiddenName(path) ? this.#files.liveAt(path) : undefined;
  }

  /** What another mount, or a program on the disk, has put there meanwhile stays. */
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

/** The number of a file that is gone may be another's by now. */
function isSameFile(one: NodeInfo, other: NodeInfo): boolean {
  return one.inode === other.inode && one.disk?.bornNs === other.disk?.bornNs;
}

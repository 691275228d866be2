import { setTimeout } from 'node:timers';
import { setTimeout as delay } from 'node:timers/promises';
import { after, isPromiseLike, recover } from '../../core/awaitable.ts';
import type { WritableFile, WriteOptions } from '../../core/changes.ts';
import { isFsError } from '../../core/errors.ts';
import type { VfsPath } from '../../core/paths.ts';
import type { Awaitable, NodeInfo, OpContext } from '../../core/resolver.ts';
import type { Vfs } from '../../vfs/vfs.ts';
import { isDescribable } from '../described-file.ts';
import type { OpenedFile, OpenFiles } from './open-files.ts';

/** The name that `hide_node` of libfuse 2 gives to an open file that is unlinked or replaced by a rename. */
const HIDDEN_NAME = /\/\.fuse_hidden[0-9a-f]{16}$/;

/** A rename over an open file follows its hiding within microseconds. This is longer, for a busy machine. */
const RENAME_WITHIN_MS = 20;
/** Requests about other names wait for the rename for so long: each removal of an open file costs the next of them that much. */
const OTHERS_WAIT_MS = 5;

const NO_CALLER: OpContext = {};

export function isHiddenName(path: VfsPath): boolean {
  return HIDDEN_NAME.test(path);
}

/**
 * libfuse 2 never removes an open file: it renames the file to a hidden name, and removes that name at the last close. Trees do not need that, since an open
 * file outlives its name here. So a hiding is taken for the removal, and the hidden name is only the name by which the kernel knows the open file.
 *
 * But a hiding may also be the first half of a rename over the open file, and nothing tells the two apart. If the file was removed at once, there would be a
 * moment without any file of that name, which a crash would make permanent. So the removal waits for the rename. If that comes, there is nothing to remove. If it does
 * not come soon, or somebody asks for the very name, the removal is done first. Other requests that look at names may come from other programs, between the two
 * halves: they wait a little for the rename.
 */
export class HiddenFiles {
  readonly #vfs: Vfs;
  readonly #files: OpenFiles;
  readonly #report: (error: unknown) => void;
  #waiting: Waiting | undefined;
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
      const { promise: settled, resolve: settle } = deferred();
      this.#waiting = { path, meant, settled, settle };
      this.#timer = setTimeout(() => void this.settle(), RENAME_WITHIN_MS);
    };
    return after(allowed, note);
  }

  /** To be called before a request that looks at names. @param path the one that it names, or the new one if it is a rename */
  before(path: string, isRename = false): Awaitable<void> {
    const waiting = this.#waiting;
    // Until it has had the answer to its rename, libfuse lets nobody ask for the name.
    if (waiting === undefined || waiting.path === path)
      return this.settle(isRename ? waiting?.path : undefined);
    return Promise.race([waiting.settled, delay(OTHERS_WAIT_MS)]).then(() =>
      this.#waiting === waiting ? this.settle() : this.#removing,
    );
  }

  /** Carries out the removal now. @param renamedTo the new path of a rename that takes its place */
  settle(renamedTo?: VfsPath): Awaitable<void> {
    // The caller waits for a removal that is running: what a rename put there meanwhile would be removed in its place.
    if (this.#waiting === undefined) return this.#removing;
    const { path, meant, settle } = this.#waiting;
    clearTimeout(this.#timer);
    this.#waiting = undefined;
    settle();
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

  /** The open file behind a hidden name, opened once more to be written; undefined where there is none, or it cannot be opened so. */
  openAgain(path: VfsPath, options: Pick<WriteOptions, 'append'>): WritableFile | undefined {
    const file = this.fileAt(path)?.version.file;
    return file && isDescribable(file) ? file.openAgain?.(options) : undefined;
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

/** A removal that waits. */
interface Waiting {
  readonly path: VfsPath;
  readonly meant: NodeInfo | undefined;
  /** Resolves when it waits no longer. */
  readonly settled: Promise<void>;
  readonly settle: () => void;
}

function deferred(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

/** The inode number of a file that is gone may have been reused, so the time of birth is compared, too. */
function isSameFile(one: NodeInfo, other: NodeInfo): boolean {
  return one.inode === other.inode && one.disk?.bornNs === other.disk?.bornNs;
}

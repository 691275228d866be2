import { EXIT, UserError } from '../core/errors.ts';
import type { VfsPath } from '../core/paths.ts';
import type { Vfs } from '../vfs/vfs.ts';

export interface MountOptions {
  /** What /proc/mounts shows as the source: at most 64 letters, digits and characters of `._:@/-`. */
  readonly fsName: string;
  /** Lets other users in. An ordinary user may only do so with `user_allow_other` in /etc/fuse.conf. */
  readonly allowOther: boolean;
  /** Whether the kernel refuses every change (EROFS) without asking the tree. */
  readonly readOnly: boolean;
  /**
   * Whether the tree is asked at every open. If not, the kernel opens what it has cached by itself, which is many times faster, but nobody learns who
   * opened what. Only a read-only mount can do without: an open for writing has to be seen to be refused.
   */
  readonly seeOpens: boolean;
  /** How long a request may wait for its answer before the caller gets ETIMEDOUT. */
  readonly deadlineMs: number;
}

export const DEFAULT_MOUNT_OPTIONS: MountOptions = {
  fsName: 'kgraphfs',
  allowOther: false,
  readOnly: false,
  seeOpens: true,
  deadlineMs: 15_000,
};

/** @throws UserError for a mount that is written to and does not see opens */
export function requireSeenOpens({ seeOpens, readOnly }: MountOptions): void {
  if (!seeOpens && !readOnly)
    throw new UserError('opens can stay unseen on a read-only mount only', EXIT.cannotMount);
}

/** One way to talk to the kernel. All drivers pass the same test suite. */
export interface Driver {
  readonly name: 'fuse-native' | 'linux';
  /**
   * Mounts the tree at an empty folder, which is made if only its parent exists. A dead mount that an ended daemon left at that
   * place is cleared away first. The caller has to pass changes of the tree on to {@link Mounted.invalidate}.
   * @param point absolute path of the folder
   * @throws UserError that says why it cannot be mounted
   */
  mount(vfs: Vfs, point: string, options: MountOptions): Promise<Mounted>;
}

/** How a mount ended: by {@link Mounted.unmount}, or because somebody else unmounted it. */
export type MountEnd = 'unmounted' | 'unmounted by another';

/** A live mount. This process must never open a path below its point. */
export interface Mounted {
  /** The mount point as the kernel listed it when the mount was made; a folder above it may have been renamed since. */
  readonly point: string;
  /**
   * Makes the kernel drop what it has cached of these paths and, for folders, of everything below them. Resolves once the kernel has been told. To
   * be called after the tree has changed; code that answers a request must not wait for it.
   */
  invalidate(paths: readonly VfsPath[]): Promise<void>;
  /**
   * Unmounts. With `whenBusy: 'detach'`, the default, programs that use the mount keep their open files for as long as this process lives; with
   * `'refuse'` a mount in use stays.
   * @throws UserError if the system refuses; for a busy mount it names who uses it
   */
  unmount(options?: { readonly whenBusy: 'detach' | 'refuse' }): Promise<void>;
  /** Resolves when the mount is gone, whoever unmounted it. */
  readonly ended: Promise<MountEnd>;
  figures(): MountFigures;
  /**
   * Makes V8 compile the code that serves requests, so that the first `grep -r` need not wait for that: an iterator of steps of some milliseconds, to
   * be taken while nobody uses the mount. Nothing is asked of the kernel. Absent for a driver that would gain nothing by it.
   * @param makeTree makes a view of the mounted tree, a new object each time. It notes opens as the mounted tree does, but nothing of them is kept
   */
  rehearsal?(makeTree: () => Vfs): Iterator<unknown>;
}

/** Counts since the mount began, unless said otherwise. */
export interface MountFigures {
  readonly requests: number;
  /** Requests that wait for their answer at this moment. */
  readonly pending: number;
  readonly timeouts: number;
  /** Threads of the driver that ever took a request. If the number keeps growing, there is a leak: fuse-native never frees them. */
  readonly threads: number;
  /** Files and folders that the kernel knows at this moment; absent for a driver that cannot tell. */
  readonly nodes?: number;
  /** Files that are open at this moment; absent likewise. */
  readonly handles?: number;
  /** Notices to the kernel that what it has cached is no longer valid. */
  readonly notices?: number;
}

import { EXIT, UserError } from '../core/errors.ts';
import type { VfsPath } from '../core/paths.ts';
import type { Vfs } from '../vfs/vfs.ts';

export interface MountOptions {
  /** What /proc/mounts shows as the source: letters, digits and `._:@/-`, at most 64. */
  readonly fsName: string;
  /** Lets other users in. An ordinary user needs `user_allow_other` in /etc/fuse.conf for it. */
  readonly allowOther: boolean;
  /** The kernel refuses every change (EROFS) without asking the tree. */
  readonly readOnly: boolean;
  /**
   * Whether the tree is asked at every open. Without that the kernel opens what it has cached on its own, many times faster, and
   * nobody can tell who opened what. Only a read-only mount may go without: a refused open for writing has to be seen.
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

/** @throws UserError for opens that stay unseen where somebody may write */
export function requireSeenOpens({ seeOpens, readOnly }: MountOptions): void {
  if (!seeOpens && !readOnly)
    throw new UserError('opens can stay unseen on a read-only mount only', EXIT.cannotMount);
}

/** One way to talk to the kernel. All drivers pass the same suite. */
export interface Driver {
  readonly name: 'fuse-native' | 'linux';
  /**
   * Mounts the tree at an empty folder, which is made where only its parent exists. A dead mount of an ended daemon at that
   * place is cleared away first. The caller passes the tree's changes on to {@link Mounted.invalidate}.
   * @param point absolute
   * @throws UserError with the reason why not
   */
  mount(vfs: Vfs, point: string, options: MountOptions): Promise<Mounted>;
}

/** How a mount came to its end: by `unmount`, or by somebody else's umount. */
export type MountEnd = 'unmounted' | 'unmounted by another';

/** A live mount. This process must never open a path below its point. */
export interface Mounted {
  /** The mount point as the kernel listed it when the mount was made: a folder above it may be renamed. */
  readonly point: string;
  /**
   * Drops what the kernel has cached of these paths and, for folders, of all below them. Resolves when the kernel was told. To
   * be called after the tree has changed, never awaited by what answers a request.
   */
  invalidate(paths: readonly VfsPath[]): Promise<void>;
  /**
   * Takes the mount away. Programs that use it keep their open files as long as this process lives, unless `whenBusy` is
   * `refuse`.
   * @throws UserError where the system refuses, with the users of a busy mount
   */
  unmount(options?: { readonly whenBusy: 'detach' | 'refuse' }): Promise<void>;
  /** Resolves when the mount is gone, whoever took it away. */
  readonly ended: Promise<MountEnd>;
  figures(): MountFigures;
  /**
   * What somebody's first `grep -r` would wait for: steps of some milliseconds, to be taken while nobody uses the mount, that have V8 compile
   * what serves it. Nothing is asked of the kernel. Where a driver has none, nothing is gained by it.
   * @param makeTree the mounted one, where what is opened is noted as in it, and not kept; another object each time, as the mounted one is
   */
  rehearsal?(makeTree: () => Vfs): Iterator<unknown>;
}

/** Counts since the mount began, but for `pending`. */
export interface MountFigures {
  readonly requests: number;
  /** Requests that wait for their answer now. */
  readonly pending: number;
  readonly timeouts: number;
  /** Threads of the driver that ever took a request: a number that keeps growing is a leak (fuse-native never frees them). */
  readonly threads: number;
  /** What the driver keeps for the kernel, where it knows: files and folders that the kernel knows, and what is open. */
  readonly nodes?: number;
  readonly handles?: number;
  /** What the kernel was told besides answers: that it is to forget something. */
  readonly notices?: number;
}

/** Writing to the scratchpad of a mount that another process serves: through that mount, so that its kernel and its quota know of it. */
import { constants } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, rmdir, unlink } from 'node:fs/promises';
import { z } from 'zod';
import type { Changes, CreateOptions, WritableFile, WriteOptions } from '../core/changes.ts';
import { FsError, isFsError, systemCodeOf } from '../core/errors.ts';
import type { SubPath } from '../core/paths.ts';
import { folderOf } from '../core/paths.ts';
import type { NodeInfo } from '../core/resolver.ts';
import { statusOf } from '../system/file-status.ts';
import { refusalOf } from './disk-refusal.ts';
import { infoOf } from './disk-status.ts';
import { nameOf } from './folders.ts';

const FOLDER_FLAGS = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
/** A pipe that nobody reads is refused, not waited for. */
const FILE_FLAGS = constants.O_WRONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
/** A daemon that is stopped, or stuck, answers no more. */
const DEADLINE_MS = 5000;

/** What is asked of what a mount says of itself. */
const statusSchema = z.object({ session: z.string() });

/** A session and where it is mounted. */
export interface LiveMount {
  readonly session: string;
  readonly mountpoint: string;
  /** How long an operation waits for the mount. Default: 5 s. */
  readonly deadlineMs?: number;
}

export type MountedScratchpad = Pick<
  Changes<SubPath>,
  'openToWrite' | 'create' | 'makeFolder' | 'removeFolder' | 'remove'
>;

/**
 * The scratchpad of a live mount, for another process than its daemon. Each operation first makes sure that it is this session that is mounted there; no
 * link is followed on the way. What the mount refuses comes out as the scratchpad itself refuses it; where the mount cannot be reached, or does not
 * answer within 5 s, it is EBUSY.
 */
export function mountedScratchpad(mount: LiveMount): MountedScratchpad {
  return {
    openToWrite: (path, options) => opened(mount, path, options, 0),
    create: (path, options) => created(mount, path, options),
    makeFolder: (path, mode) => at(mount, path, (place) => mkdir(place, { mode })),
    removeFolder: (path) => at(mount, path, (place) => rmdir(place)),
    remove: (path) => at(mount, path, (place) => unlink(place)),
  };
}

async function created(mount: LiveMount, path: SubPath, options: CreateOptions): Promise<WritableFile> {
  const flags = constants.O_CREAT | (options.exclusive ? constants.O_EXCL : 0);
  return opened(mount, path, options, flags, options.mode);
}

async function opened(
  mount: LiveMount,
  path: SubPath,
  { append, truncate }: WriteOptions,
  flags: number,
  mode?: number,
): Promise<WritableFile> {
  const how = FILE_FLAGS | flags | (append ? constants.O_APPEND : 0);
  return at(mount, path, async (place, signal) => {
    const { handle, isMade } = await openOrMake(place, how, mode);
    try {
      if (!(await handle.stat()).isFile()) throw new FsError('EINVAL', path, 'this is no file');
      // Not by O_TRUNC: where the answer comes too late, the caller was told that nothing was written.
      signal.throwIfAborted();
      if (truncate) await handle.truncate();
      signal.throwIfAborted();
      return new MountedFile(handle, mount, path);
    } catch (error) {
      if (isMade && signal.aborted) await takeBack(place, handle);
      await handle.close();
      throw error;
    }
  });
}

interface OpenedOrMade {
  readonly handle: FileHandle;
  /** Whether it is this call for certain that made it. */
  readonly isMade: boolean;
}

async function openOrMake(place: string, how: number, mode: number | undefined): Promise<OpenedOrMade> {
  if ((how & constants.O_CREAT) === 0) return { handle: await open(place, how), isMade: false };
  try {
    return { handle: await open(place, how | constants.O_EXCL, mode), isMade: true };
  } catch (error) {
    if ((how & constants.O_EXCL) !== 0 || systemCodeOf(error) !== 'EEXIST') throw error;
    return { handle: await open(place, how, mode), isMade: false };
  }
}

/** Removes a file that was made too late, unless somebody has written to it or put another in its place by now. */
async function takeBack(place: string, handle: FileHandle): Promise<void> {
  try {
    const [made, there] = await Promise.all([handle.stat({ bigint: true }), lstat(place, { bigint: true })]);
    if (made.size === 0n && made.ino === there.ino && made.dev === there.dev) await unlink(place);
  } catch (error) {
    // It is gone, or the mount is: nobody waits to be told.
    if (systemCodeOf(error) === undefined) throw error;
  }
}

/**
 * Does something with a name of a folder that is held open, below the mount of this session.
 * @param action given a signal that is aborted when nobody waits any more: then nothing further is to be changed
 */
async function at<T>(
  mount: LiveMount,
  path: SubPath,
  action: (place: string, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  if (path === '') throw new FsError('EBUSY', path, 'this folder is a part of the tree');
  return answered(mount, path, async (signal) => {
    const top = await scratchpadOf(mount, path);
    const folder = await below(top, folderOf(path));
    try {
      signal.throwIfAborted();
      return await action(within(folder, nameOf(path)), signal);
    } finally {
      // Not waited for: a file that was opened in time would be given to nobody, and closed by nobody, where that takes until the deadline.
      folder.close().catch(() => {});
    }
  });
}

/** @throws FsError EBUSY where this session is not to be reached there */
async function scratchpadOf(mount: LiveMount, path: SubPath): Promise<FileHandle> {
  try {
    const root = await open(mount.mountpoint, FOLDER_FLAGS);
    try {
      const status = await open(within(root, '.kgraphfs/status.json'), constants.O_RDONLY);
      const text = await status.readFile('utf8').finally(() => status.close());
      if (statusSchema.parse(JSON.parse(text)).session !== mount.session) throw unreachable(mount, path);
    } catch (error) {
      await root.close();
      throw error;
    }
    return await below(root, 'context/scratchpad');
  } catch (error) {
    throw unreachable(mount, path, error);
  }
}

/** Closes the folder it was given. @throws the system's error, ENOTDIR or ELOOP for a link */
async function below(top: FileHandle, path: string): Promise<FileHandle> {
  let folder = top;
  for (const name of path.split('/').filter((part) => part !== '')) {
    const around = folder;
    folder = await open(within(around, name), FOLDER_FLAGS).finally(() => around.close());
  }
  return folder;
}

function within({ fd }: FileHandle, name: string): string {
  return `/proc/self/fd/${fd}/${name}`;
}

async function answered<T>(
  mount: LiveMount,
  path: SubPath,
  action: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const deadline = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      deadline.abort();
      reject(unreachable(mount, path));
    }, mount.deadlineMs ?? DEADLINE_MS);
  });
  try {
    return await Promise.race([action(deadline.signal), late]);
  } catch (error) {
    if (systemCodeOf(error) === 'ENOSPC')
      throw new FsError('ENOSPC', path, 'the quota of the scratchpad, or the disk below it, is used up', {
        cause: error,
      });
    if (systemCodeOf(error) === 'EROFS' && !isFsError(error))
      throw new FsError('EROFS', path, 'the session is mounted read-only', { cause: error });
    throw refusalOf(error, path);
  } finally {
    clearTimeout(timer);
  }
}

function unreachable({ mountpoint }: LiveMount, path: SubPath, cause?: unknown): FsError {
  const why = `the session is mounted, and cannot be reached there: write to ${mountpoint}/context/scratchpad/${path}`;
  return new FsError('EBUSY', path, why, { cause });
}

/** A file of the mount, open to be written. */
class MountedFile implements WritableFile {
  readonly #handle: FileHandle;
  readonly #mount: LiveMount;
  readonly #path: SubPath;

  constructor(handle: FileHandle, mount: LiveMount, path: SubPath) {
    this.#handle = handle;
    this.#mount = mount;
    this.#path = path;
  }

  get sizeBytes(): number {
    return this.stat().sizeBytes;
  }

  stat(): NodeInfo {
    return infoOf(statusOf(this.#handle.fd));
  }

  read(): never {
    throw new FsError('EBADF', this.#path, 'this file is not open for that');
  }

  async write(bytes: Uint8Array, position: number): Promise<number> {
    // The caller's are good until this returns.
    const copy = Buffer.from(bytes);
    const { bytesWritten } = await this.#answered(() => this.#handle.write(copy, 0, copy.length, position));
    return bytesWritten;
  }

  truncate(sizeBytes: number): Promise<void> {
    return this.#answered(() => this.#handle.truncate(sizeBytes));
  }

  /** What the kernel still holds back is with the daemon then, and refused where that refuses it. */
  flush(): Promise<void> {
    return this.#answered(() => this.#handle.datasync());
  }

  sync(): Promise<void> {
    return this.#answered(() => this.#handle.sync());
  }

  close(): void {
    // What close(2) could refuse, flush has told.
    this.#handle.close().catch(() => {});
  }

  #answered<T>(action: () => Promise<T>): Promise<T> {
    return answered(this.#mount, this.#path, action);
  }
}

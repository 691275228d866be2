/** Writes to the scratchpad of a mount that another process serves. It goes through that mount, so that its kernel and its quota know of the change. */
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
/** A pipe without a reader is refused, and not waited for. */
const FILE_FLAGS = constants.O_WRONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
/** A daemon that is stopped or stuck does not answer any more. */
const DEADLINE_MS = 5000;

/** The only part of a mount's status that is needed. */
const statusSchema = z.object({ session: z.string() });

/** A session, and the path where it is mounted. */
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
 * The scratchpad of a live mount, for a process that is not its daemon. Each operation first makes sure that it is this session that is mounted there. No link
 * is followed on the way. A refusal of the mount has the same form as one of the scratchpad itself. If the mount cannot be reached, or does not answer within 5
 * s, the error is EBUSY.
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
      if (!(await handle.stat()).isFile()) throw new FsError('EINVAL', path, 'this is not a file');
      // O_TRUNC is not used: if the answer came too late, the caller would have been told that nothing was written.
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
  /** Whether it is certain that this call has made the file. */
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

/** Removes a file that was made too late, unless somebody has written to it or replaced it by now. */
async function takeBack(place: string, handle: FileHandle): Promise<void> {
  try {
    const [made, there] = await Promise.all([handle.stat({ bigint: true }), lstat(place, { bigint: true })]);
    if (made.size === 0n && made.ino === there.ino && made.dev === there.dev) await unlink(place);
  } catch (error) {
    // The file or the mount is gone, and nobody waits for the result.
    if (systemCodeOf(error) === undefined) throw error;
  }
}

/**
 * Calls an action with the path of a name in a folder that is held open, below the mount of this session.
 * @param action must change nothing further once its signal is aborted, since nobody waits for it then
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
      // This is not awaited: if closing took until the deadline, a file that was opened in time would never be returned, and never be closed.
      folder.close().catch(() => {});
    }
  });
}

/** @throws FsError EBUSY if this session cannot be reached there */
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

/** Closes the given folder. @throws the system's error; ENOTDIR or ELOOP for a link */
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

/** A file of the mount that is open for writing. */
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
    // The caller may reuse its bytes as soon as this returns.
    const copy = Buffer.from(bytes);
    const { bytesWritten } = await this.#answered(() => this.#handle.write(copy, 0, copy.length, position));
    return bytesWritten;
  }

  truncate(sizeBytes: number): Promise<void> {
    return this.#answered(() => this.#handle.truncate(sizeBytes));
  }

  /** Passes what the kernel still holds back to the daemon. An error of the daemon is thrown here. */
  flush(): Promise<void> {
    return this.#answered(() => this.#handle.datasync());
  }

  sync(): Promise<void> {
    return this.#answered(() => this.#handle.sync());
  }

  close(): void {
    // Errors that close(2) could have were already reported by flush.
    this.#handle.close().catch(() => {});
  }

  #answered<T>(action: () => Promise<T>): Promise<T> {
    return answered(this.#mount, this.#path, action);
  }
}

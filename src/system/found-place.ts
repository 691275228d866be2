import { open } from 'node:fs';
import { promisify } from 'node:util';
import { diskNumber, diskOf } from './file-status.ts';
import { closeNow, O_PATH } from './files.ts';

/**
 * What lies at a path of which nobody knows where it leads. It may have come to lead into a mount that this very process serves: the kernel asks about
 * each name on the way there, and has no answer before the thread that serves is free. So that thread never follows such a path itself.
 */

const openLater = promisify(open);

/** Disks that this process serves. */
const served = new Set<number>();

/** Says that a disk is served by this process. @param device `major:minor`, as mountinfo has it. @returns says that it is so no longer */
export function noteServedDisk(device: string): () => void {
  const [major = 0, minor = 0] = device.split(':').map(Number);
  const disk = diskNumber(major, minor);
  served.add(disk);
  return () => {
    served.delete(disk);
  };
}

/** What was looked for lies in a mount that this process serves, and is as if it were not there. */
export class ServedHereError extends Error {
  constructor() {
    super('it lies in the mount that this very daemon serves');
  }
}

/** Who was asked last. */
let last: Promise<unknown> = Promise.resolve();

/**
 * A descriptor, which opens nothing, of what a path leads to. It is looked for in a thread of libuv's pool, one at a time in this thread: each that waits for
 * this process is one less for what serves its mount.
 * @param flags of open(2) besides `O_PATH`
 * @throws Error with a `code`, ServedHereError
 */
export function findLater(path: string, flags = 0): Promise<number> {
  const found = last.then(() => openLater(path, O_PATH | flags));
  last = found.catch(() => {});
  return found.then((descriptor) => {
    if (!served.has(diskOf(descriptor))) return descriptor;
    closeNow(descriptor);
    throw new ServedHereError();
  });
}

/**
 * Calls `body` with a path that leads to what lies at another one, and nowhere else while it is called. @param flags as {@link findLater}. @throws as {@link findLater}, and
 * what `body` throws
 */
export async function atPlace<T>(
  path: string,
  flags: number,
  body: (handlePath: string, descriptor: number) => T,
): Promise<T> {
  const descriptor = await findLater(path, flags);
  try {
    return body(`/proc/self/fd/${descriptor}`, descriptor);
  } finally {
    closeNow(descriptor);
  }
}

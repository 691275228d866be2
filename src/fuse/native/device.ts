import { readdirSync, readlinkSync, write, writeSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { controlDescriptor, F_SETFD, FD_CLOEXEC } from '../../system/libc.ts';
import { FUSE_DEVICE } from '../host.ts';

/**
 * /dev/fuse ignores the position of a write. If libfuse closes its descriptor and another file gets the number within the microseconds between check and write,
 * a write at this position fails (EFBIG, ESPIPE) and does not overwrite the start of that file.
 */
const HARMLESS_POSITION = Number.MAX_SAFE_INTEGER;

const writeAsync = promisify(write);

/** The descriptors of this process that stand for /dev/fuse. */
export function fuseDevices(): number[] {
  return readdirSync('/proc/self/fd').map(Number).filter(isFuseDevice);
}

/**
 * The descriptor of /dev/fuse that was opened since others were listed. It is set to be closed on exec, since in a child it would keep the connection alive
 * after this process. Passing a closed pipe to children in its place does not work, since libuv 1.53 aborts if a child has more than some thirty standard
 * streams.
 */
export function deviceSince(before: readonly number[]): number | undefined {
  const device = fuseDevices().find((one) => !before.includes(one));
  if (device !== undefined) controlDescriptor(device, F_SETFD, FD_CLOEXEC);
  return device;
}

export function isFuseDevice(descriptor: number): boolean {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`) === FUSE_DEVICE;
  } catch {
    // It was closed meanwhile, as was the descriptor by which the folder was listed.
    return false;
  }
}

export async function isClosedWithin(descriptor: number, limitMs: number): Promise<boolean> {
  const step = 10;
  for (let waited = 0; waited < limitMs; waited += step) {
    if (!isFuseDevice(descriptor)) return true;
    await delay(step);
  }
  return false;
}

/**
 * Writes a message to the kernel in a thread of the pool, since it may have to wait for locks that requests hold.
 * @returns undefined, or the error's code: `ENOENT` if the kernel does not know what the message is about, `EINVAL` if it does not know the message, `ENODEV`
 * if the mount is gone
 */
async function sendMessage(descriptor: number, message: Uint8Array): Promise<string | undefined> {
  if (!isFuseDevice(descriptor)) return 'ENODEV';
  try {
    await writeAsync(descriptor, message, 0, message.length, HARMLESS_POSITION);
    return undefined;
  } catch (error) {
    if (error instanceof Error && 'code' in error) return String(error.code);
    throw error;
  }
}

/**
 * The same in this thread, for messages that the kernel takes without waiting for a lock: a request that is being served may hold one.
 * @returns as `sendMessage`
 */
function sendMessageNow(descriptor: number, message: Uint8Array): string | undefined {
  if (!isFuseDevice(descriptor)) return 'ENODEV';
  try {
    writeSync(descriptor, message, 0, message.length, HARMLESS_POSITION);
    return undefined;
  } catch (error) {
    if (error instanceof Error && 'code' in error) return String(error.code);
    throw error;
  }
}

/** The functions that write messages to the kernel through one device. */
export function messagesTo(descriptor: number) {
  return {
    send: (message: Uint8Array) => sendMessage(descriptor, message),
    sendNow: (message: Uint8Array) => sendMessageNow(descriptor, message),
  };
}

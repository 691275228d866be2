import { readdirSync, readlinkSync, write, writeSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { controlDescriptor, F_SETFD, FD_CLOEXEC } from '../../system/libc.ts';
import { FUSE_DEVICE } from '../host.ts';

/**
 * /dev/fuse does not look at the position of a write. Should libfuse close its descriptor and another file get the number within the
 * microseconds between check and write, a write out there fails (EFBIG, ESPIPE) instead of hitting the file's start.
 */
const HARMLESS_POSITION = Number.MAX_SAFE_INTEGER;

const writeAsync = promisify(write);

/** Descriptors of this process that are a /dev/fuse. */
export function fuseDevices(): number[] {
  return readdirSync('/proc/self/fd').map(Number).filter(isFuseDevice);
}

/**
 * The /dev/fuse that was opened since others were listed, closed on exec from now on: in a child it keeps the connection alive after us. To give
 * children a closed pipe in its place is no way, since libuv 1.53 aborts where one has more than some thirty standard streams.
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
    // It was closed meanwhile, as that by which they were listed.
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
 * Writes a message to the kernel, from a thread of the pool: it may have to wait for locks that requests hold.
 * @returns undefined, or the error's code: `ENOENT` where the kernel does not know what the message is about, `EINVAL` where it does not
 * know the message, `ENODEV` where the mount is gone
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
 * The same at once, for messages that the kernel takes without waiting for any lock: a request that is being served may hold them.
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

/** How messages to the kernel are written to one device. */
export function messagesTo(descriptor: number) {
  return {
    send: (message: Uint8Array) => sendMessage(descriptor, message),
    sendNow: (message: Uint8Array) => sendMessageNow(descriptor, message),
  };
}

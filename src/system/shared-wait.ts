import { constants } from 'node:fs';
import { mountsOf, openPipe, pollLater, readNow, writeNow } from './libc.ts';

/** A caller that waits. */
interface Wait {
  readonly descriptor: number;
  readonly mounts: number | undefined;
  readonly end: (areMountsOthers: boolean) => void;
  readonly fail: (error: unknown) => void;
}

const waits = new Set<Wait>();
/** A pipe that wakes up the waiting thread, so that it waits for other descriptors as well. Made with the first wait, and kept. */
let alarm: { readonly toRead: number; readonly toWrite: number } | undefined;
let isWaiting = false;
const bytes = Buffer.alloc(64);

/**
 * As {@link waitToRead}, but all callers share one waiting thread. It is for things of which there may be many, such as docs roots: each waiting thread of
 * libuv's pool is one less for everything else, and with none left nothing goes on.
 */
export function waitWithOthers(descriptor: number, mounts?: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    waits.add({ descriptor, mounts, end: resolve, fail: reject });
    if (!isWaiting) waitForAll().catch(failAll);
    else if (alarm !== undefined) writeNow(alarm.toWrite, bytes, 1);
  });
}

async function waitForAll(): Promise<void> {
  isWaiting = true;
  try {
    alarm ??= openPipe(constants.O_NONBLOCK);
    while (waits.size > 0) await waitForSome(alarm.toRead);
  } finally {
    isWaiting = false;
  }
}

function failAll(error: unknown): void {
  for (const wait of [...waits]) {
    waits.delete(wait);
    wait.fail(error);
  }
}

async function waitForSome(alarmed: number): Promise<void> {
  const asked = [...waits];
  const polled = asked.map(({ descriptor, mounts }) => [{ descriptor }, ...mountsOf(mounts)]);
  const come = await pollLater([{ descriptor: alarmed }, ...polled.flat()]);
  while (readNow(alarmed, bytes, bytes.length) === bytes.length);
  let at = 1;
  for (const [index, wait] of asked.entries()) {
    const [isReadable = false, areMountsOthers = false] = come.slice(at, at + (polled[index]?.length ?? 0));
    at += polled[index]?.length ?? 0;
    if (!isReadable && !areMountsOthers) continue;
    waits.delete(wait);
    wait.end(areMountsOthers);
  }
}

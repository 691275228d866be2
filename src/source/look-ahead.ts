import { opendir } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { endWithoutDisks, isAskingDisks, noteAsker } from '../system/disk-waits.ts';

/** A disk that slept takes some seconds, and nobody waits for more than ten. */
const ANSWERS_WITHIN_MS = 8000;
/** Of the four threads of libuv's pool, so that one is left for all else. */
const AT_ONCE = 3;

/** Folders that were given up, and have not answered since. */
const late = new Set<string>();

noteAsker(() => late.size > 0);

/** Whether this process waits for a disk that may never answer, so that it does not end by itself. `process.exit` ends it. */
export function waitsForDisk(): boolean {
  return isAskingDisks();
}

/**
 * Which folders cannot be used now since their disks, of the network or of another program, do not answer. Whoever goes there without asking first is
 * stopped by them for good. Takes eight seconds at most, and nothing for what is known not to answer.
 * @param folders absolute; what is missing, or may not be read, is not among those
 */
export async function unansweredOf(folders: readonly string[]): Promise<string[]> {
  const left = new Set(folders);
  const queue = [...left].filter((folder) => !late.has(folder));
  const begun = new Set<string>();
  const look = async (): Promise<void> => {
    for (let folder = queue.shift(); folder !== undefined; folder = queue.shift()) {
      begun.add(folder);
      await lookAt(folder);
      for (const folders of [begun, left, late]) folders.delete(folder);
    }
  };
  const limit = new AbortController();
  const givenUp = delay(ANSWERS_WITHIN_MS, undefined, { signal: limit.signal }).catch(() => {});
  const looks = Array.from({ length: Math.min(queue.length, AT_ONCE - late.size) }, look);
  if (looks.length > 0) await Promise.race([Promise.all(looks), givenUp]);
  limit.abort();
  // What is left in it would be asked for when nobody waits any more.
  queue.length = 0;
  for (const folder of begun) late.add(folder);
  const unanswered = [...left];
  if (unanswered.length > 0) endWithoutDisks((await import('../system/libc.ts')).exitNow);
  return unanswered;
}

/** Asks for what whoever walks there asks for first. */
async function lookAt(folder: string): Promise<void> {
  try {
    const opened = await opendir(folder, { bufferSize: 1 });
    await opened.read().finally(() => opened.close());
  } catch {
    // Who uses it says what is wrong with it.
  }
}

import { opendir } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { endWithoutDisks, isAskingDisks, noteAsker } from '../system/disk-waits.ts';

/** Long enough for a sleeping disk, which takes some seconds, and less than the ten seconds that callers wait at most. */
const ANSWERS_WITHIN_MS = 8000;
/** How many of the four threads of libuv's pool may wait for disks. One is left for everything else. */
const AT_ONCE = 3;

/** Folders that callers have given up on, and that have not answered since. */
const late = new Set<string>();

noteAsker(() => late.size > 0);

/** Whether this process waits for a disk that may never answer. Then it does not end by itself, but `process.exit` ends it. */
export function waitsForDisk(): boolean {
  return isAskingDisks();
}

/**
 * Finds folders that cannot be used now, because their disks (of the network or of another program) do not answer. A thread that uses such a folder without
 * asking this first may hang for good. Takes eight seconds at most, and no time for folders that are known not to answer.
 * @param folders absolute. One that is missing or unreadable counts as answered
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
  // Folders still in the queue must not be asked about once nobody waits for the result.
  queue.length = 0;
  for (const folder of begun) late.add(folder);
  const unanswered = [...left];
  if (unanswered.length > 0) endWithoutDisks((await import('../system/libc.ts')).exitNow);
  return unanswered;
}

/** Asks for what a walk into the folder asks for first. */
async function lookAt(folder: string): Promise<void> {
  try {
    const opened = await opendir(folder, { bufferSize: 1 });
    await opened.read().finally(() => opened.close());
  } catch {
    // The code that uses the folder reports what is wrong with it.
  }
}

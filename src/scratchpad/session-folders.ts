import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { MS_PER_DAY } from '../core/clock.ts';
import { EXIT, reasonOf, systemCodeOf, UserError } from '../core/errors.ts';
import { PRIVATE_FOLDER_MODE } from '../core/file-modes.ts';
import { msToNs } from '../core/node-info.ts';
import { makeFolders } from '../disk/make-folders.ts';
import { DEFAULT_LIMITS } from '../settings/limits.ts';
import { statusesOf } from './disk-walk.ts';
import { OpenFolder } from './open-folder.ts';

/**
 * The folder that is shown. A session's folder contains it and so is never empty: two processes that both rename one into place cannot replace each other's.
 */
export const FILES_FOLDER = 'files';

const SESSION_ID = /^[A-Za-z0-9][A-Za-z0-9-]*$/;
const NEW_PREFIX = '.new-';
const REMOVING_PREFIX = '.removing-';
/** How many removals are done between two turns of the event loop, which takes about a millisecond. */
const REMOVALS_AT_ONCE = 100;
const LOOKS_AT_ONCE = 200;
/** What has been marked for removal for longer than this was left by a process that ended before it was done. */
const LEFT_OVER_AFTER_MS = 60_000;

/**
 * Prepares the folder of a session's scratchpad (0700), for `openScratchpad`: empty for a new session, unchanged for one that is resumed. The session must be
 * known as live before, so that it is not cleared away in between.
 * @param scratchpadsFolder made if it is missing
 * @throws UserError if the id is not valid, or if something else lies in place of one of its folders: a link is not followed
 */
export function prepareScratchpad(scratchpadsFolder: string, sessionId: string): string {
  if (!SESSION_ID.test(sessionId))
    throw new UserError(`${JSON.stringify(sessionId)} is not the id of a session`);
  const folder = join(scratchpadsFolder, sessionId);
  try {
    makeFolders(scratchpadsFolder, PRIVATE_FOLDER_MODE);
    const top = OpenFolder.open(scratchpadsFolder);
    try {
      if (top.statusOf(sessionId) === undefined) makeSessionFolder(top, sessionId);
      useOnce(top, sessionId);
    } finally {
      top.close();
    }
  } catch (error) {
    throw new UserError(`${folder}: the scratchpad cannot be used (${reasonOf(error)})`, EXIT.failed, {
      cause: error,
    });
  }
  return folder;
}

/** Puts a session's folder into place in one step, so that after a crash all of it exists, or nothing. */
function makeSessionFolder(top: OpenFolder, sessionId: string): void {
  const name = `${NEW_PREFIX}${randomUUID()}`;
  top.makeFolder(name, PRIVATE_FOLDER_MODE);
  const made = top.folderAt(name);
  try {
    made.makeFolder(FILES_FOLDER, PRIVATE_FOLDER_MODE);
    top.rename(name, top, sessionId);
  } catch (error) {
    if (made.statusOf(FILES_FOLDER) !== undefined) made.removeFolder(FILES_FOLDER);
    top.removeFolder(name);
    // Another process has made it first.
    if (!['EEXIST', 'ENOTEMPTY'].includes(systemCodeOf(error) ?? '')) throw error;
  } finally {
    made.close();
  }
}

/** @throws ENOTDIR if a link lies there */
function useOnce(top: OpenFolder, sessionId: string): void {
  const session = top.folderAt(sessionId);
  try {
    makeFilesFolder(session);
    session.folderAt(FILES_FOLDER).close();
    noteUse(session);
  } finally {
    session.close();
  }
}

/** Makes the inner folder if it is missing: somebody may have removed it, or may have made the session's folder by hand. */
function makeFilesFolder(session: OpenFolder): void {
  if (session.statusOf(FILES_FOLDER) !== undefined) return;
  try {
    session.makeFolder(FILES_FOLDER, PRIVATE_FOLDER_MODE);
  } catch (error) {
    // Another process has made it first.
    if (systemCodeOf(error) !== 'EEXIST') throw error;
  }
}

/** Makes a session's folder count as used just now. */
export function noteUse(session: OpenFolder): void {
  const entry = session.asEntry();
  try {
    // Setting the mode changes the `ctime`, even if the mode stays the same.
    entry.changeMode(PRIVATE_FOLDER_MODE);
  } finally {
    entry.close();
  }
}

export interface ClearingOptions {
  readonly scratchpadsFolder: string;
  /** Asked twice for each session. A session has to be live before its scratchpad is prepared. */
  readonly isLive: (sessionId: string) => boolean;
  /** Scratchpads that were not used for longer are removed. Default: 7 days. */
  readonly maxAgeMs?: number;
  readonly nowMs: number;
}

export interface ClearedScratchpads {
  /** The ids of the sessions. */
  readonly removed: readonly string[];
  readonly failed: readonly { readonly sessionId: string; readonly why: string }[];
}

/**
 * Removes the scratchpads that belong to no live session and were not used for long: nothing in them was changed, and no session began or ended with them. Each
 * is renamed first, so that none is ever resumed half removed; what a crash leaves is removed the next time. Folders that are closed to this user are opened.
 * Links are removed, never followed. Takes breaks for the event loop.
 */
export async function removeOldScratchpads(options: ClearingOptions): Promise<ClearedScratchpads> {
  const removed: string[] = [];
  const failed: { sessionId: string; why: string }[] = [];
  const top = openUnlessMissing(options.scratchpadsFolder);
  if (top === undefined) return { removed, failed };
  try {
    for (const { name } of top.entries()) {
      try {
        if (await clear(top, name, options)) removed.push(name);
      } catch (error) {
        if (systemCodeOf(error) === undefined) throw error;
        failed.push({ sessionId: name, why: reasonOf(error) });
      }
    }
  } finally {
    top.close();
  }
  return { removed: removed.filter((name) => SESSION_ID.test(name)), failed };
}

function openUnlessMissing(folder: string): OpenFolder | undefined {
  try {
    return OpenFolder.open(folder);
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** @returns whether the folder is gone now */
async function clear(top: OpenFolder, name: string, options: ClearingOptions): Promise<boolean> {
  const { isLive, nowMs, maxAgeMs = DEFAULT_LIMITS.scratchpadDays * MS_PER_DAY } = options;
  const isSession = SESSION_ID.test(name);
  const isMarked = name.startsWith(REMOVING_PREFIX);
  if (!isSession && !isMarked && !name.startsWith(NEW_PREFIX)) return false;
  if (isSession && isLive(name)) return false;
  const before = nowMs - (isMarked ? LEFT_OVER_AFTER_MS : maxAgeMs);
  if (!(await isUntouchedSince(top, name, msToNs(before)))) return false;
  const marked = `${REMOVING_PREFIX}${randomUUID()}`;
  top.rename(name, top, marked);
  if (isSession && isLive(name) && wasPutBack(top, marked, name)) return false;
  await removeTree(top, marked);
  return true;
}

/** Whether neither the folder nor anything in it has changed since a time. */
async function isUntouchedSince(top: OpenFolder, name: string, sinceNs: bigint): Promise<boolean> {
  const session = top.folderAt(name);
  try {
    let looks = 0;
    for (const { changedNs } of statusesOf(session)) {
      if (changedNs >= sinceNs) return false;
      looks += 1;
      if (looks % LOOKS_AT_ONCE === 0) await setImmediate();
    }
    // A session may have begun and ended with it meanwhile.
    return session.status().changedNs < sinceNs;
  } finally {
    session.close();
  }
}

/**
 * Puts a folder back for a session that was resumed just now, whose daemon may have this very folder open. If the daemon found no folder and made a new one,
 * the new one stays: it is not empty, so a rename cannot replace it.
 */
function wasPutBack(top: OpenFolder, marked: string, name: string): boolean {
  try {
    top.rename(marked, top, name);
    return true;
  } catch (error) {
    if (['EEXIST', 'ENOTEMPTY'].includes(systemCodeOf(error) ?? '')) return false;
    throw error;
  }
}

/** Removes a folder. Folders inside are moved up before they are emptied, so that no depth is too deep. */
async function removeTree(top: OpenFolder, name: string): Promise<void> {
  const waiting = [name];
  let removals = 0;
  for (let current = waiting.pop(); current !== undefined; current = waiting.pop()) {
    openUp(top, current);
    const folder = top.folderAt(current);
    try {
      for (const entry of folder.entries()) {
        if (entry.isDirectory()) {
          const aside = `${REMOVING_PREFIX}${randomUUID()}`;
          openUp(folder, entry.name);
          folder.rename(entry.name, top, aside);
          waiting.push(aside);
        } else {
          folder.remove(entry.name);
        }
        removals += 1;
        if (removals % REMOVALS_AT_ONCE === 0) await setImmediate();
      }
    } finally {
      folder.close();
    }
    top.removeFolder(current);
  }
}

/** Opens up a folder, since one that its owner may not write to can neither be emptied nor moved. */
function openUp(folder: OpenFolder, name: string): void {
  const entry = folder.entryAt(name);
  try {
    entry.changeMode(PRIVATE_FOLDER_MODE);
  } finally {
    entry.close();
  }
}

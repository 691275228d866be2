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
 * A session's folder holds the one that is shown, and thus is never empty: two processes that both put one in place by a rename cannot
 * replace each other's.
 */
export const FILES_FOLDER = 'files';

const SESSION_ID = /^[A-Za-z0-9][A-Za-z0-9-]*$/;
const NEW_PREFIX = '.new-';
const REMOVING_PREFIX = '.removing-';
/** Removals between two turns of the event loop: about a millisecond of them. */
const REMOVALS_AT_ONCE = 100;
const LOOKS_AT_ONCE = 200;
/** What is marked for removal longer than this was left by a process that ended over it. */
const LEFT_OVER_AFTER_MS = 60_000;

/**
 * The folder of a session's scratchpad (0700), for `openScratchpad`: made empty for a new session, as it was left for one that is resumed.
 * The session has to be known as live before: then no clearing away comes between.
 * @param scratchpadsFolder made where it is missing
 * @throws UserError where the id is none, or something else lies in the place of one of its folders: a link is not followed
 */
export function prepareScratchpad(scratchpadsFolder: string, sessionId: string): string {
  if (!SESSION_ID.test(sessionId)) throw new UserError(`${JSON.stringify(sessionId)} is no session's id`);
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

/** Puts a session's folder into its place in one step, so that a crash leaves all of it or nothing. */
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
    // Another process was first.
    if (!['EEXIST', 'ENOTEMPTY'].includes(systemCodeOf(error) ?? '')) throw error;
  } finally {
    made.close();
  }
}

/** @throws ENOTDIR where a link lies there */
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

/** Somebody may have removed it, or made the folder around it by hand. */
function makeFilesFolder(session: OpenFolder): void {
  if (session.statusOf(FILES_FOLDER) !== undefined) return;
  try {
    session.makeFolder(FILES_FOLDER, PRIVATE_FOLDER_MODE);
  } catch (error) {
    // Another process was first.
    if (systemCodeOf(error) !== 'EEXIST') throw error;
  }
}

/** Has a session's folder count as used just now. */
export function noteUse(session: OpenFolder): void {
  const entry = session.asEntry();
  try {
    // Any change of what stat(2) says sets the time of change, also one to the same.
    entry.changeMode(PRIVATE_FOLDER_MODE);
  } finally {
    entry.close();
  }
}

export interface ClearingOptions {
  readonly scratchpadsFolder: string;
  /** Asked twice of each; a session has to be live before its scratchpad is prepared. */
  readonly isLive: (sessionId: string) => boolean;
  /** Scratchpads go that were not used for longer. 7 days unless given. */
  readonly maxAgeMs?: number;
  readonly nowMs: number;
}

export interface ClearedScratchpads {
  /** Ids of sessions. */
  readonly removed: readonly string[];
  readonly failed: readonly { readonly sessionId: string; readonly why: string }[];
}

/**
 * Removes the scratchpads that no live session has and that nobody used for long: nothing in them was changed, and no session began or ended
 * with it. Each is renamed first, so none is ever resumed that is half gone, and what a crash left is removed the next time.
 * Folders that are closed to this user are opened; links are removed, never followed. Takes breaks for the event loop.
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

/** @returns whether it is gone now */
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

/** Whether nothing in it, itself included, was changed since. */
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
 * For a session that was resumed just now, whose daemon may have this very folder open. Where it found none and made a new one, that one
 * stays: it is not empty, so no rename replaces it.
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

/** Folders inside are moved up before they are emptied, so that no depth is too deep. */
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

/** A folder that its owner may not write to can neither be emptied nor moved. */
function openUp(folder: OpenFolder, name: string): void {
  const entry = folder.entryAt(name);
  try {
    entry.changeMode(PRIVATE_FOLDER_MODE);
  } finally {
    entry.close();
  }
}

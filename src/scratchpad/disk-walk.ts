import type { BigIntStats, Dirent } from 'node:fs';
import type { DiskFolder } from '../core/disk-folder.ts';
import { systemCodeOf } from '../core/errors.ts';

/** One descriptor is held for each level; what lies deeper, as nobody means it to, is not looked at. */
const MAX_DEPTH = 500;

interface Level {
  readonly folder: DiskFolder;
  readonly waiting: Dirent[];
}

/**
 * What `lstat` says of a folder and of everything below it, each folder before what it holds. Links are not followed, and no other disk
 * that is mounted below is entered. What this user may not read, or what vanishes meanwhile, is passed over.
 */
export function* statusesOf(top: DiskFolder): Generator<BigIntStats> {
  const status = top.status();
  yield status;
  const levels: Level[] = [{ folder: top, waiting: entriesOf(top) }];
  try {
    for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
      const entry = level.waiting.pop();
      if (entry === undefined) {
        levels.pop();
        if (level.folder !== top) level.folder.close();
        continue;
      }
      const found = level.folder.statusOf(entry.name);
      if (found === undefined || found.dev !== status.dev) continue;
      yield found;
      const below =
        found.isDirectory() && levels.length < MAX_DEPTH ? enter(level.folder, entry.name) : undefined;
      if (below) levels.push({ folder: below, waiting: entriesOf(below) });
    }
  } finally {
    for (const { folder } of levels) if (folder !== top) folder.close();
  }
}

function entriesOf(folder: DiskFolder): Dirent[] {
  return unlessRefused(() => folder.entries()) ?? [];
}

function enter(folder: DiskFolder, name: string): DiskFolder | undefined {
  return unlessRefused(() => folder.enter(name));
}

function unlessRefused<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch (error) {
    if (systemCodeOf(error) === undefined) throw error;
    return undefined;
  }
}

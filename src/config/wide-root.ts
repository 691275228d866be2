import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { systemCodeOf } from '../core/errors.ts';
import { homeFolder } from './home-folder.ts';

/** Folders that hold a part of the system, or all its users, and nobody's docs alone. Places for disks and volumes, such as `/mnt` and `/srv`, may hold docs alone. */
const OF_THE_SYSTEM: ReadonlySet<string> = new Set([
  '/bin',
  '/boot',
  '/dev',
  '/etc',
  '/home',
  '/lib',
  '/lib64',
  '/proc',
  '/root',
  '/run',
  '/sbin',
  '/sys',
  '/usr',
  '/var',
]);

/**
 * Says what a folder is of which nobody means all files as docs; undefined if it is none. The files of a whole machine would take hours to read, and with
 * those of a home its keys would be shown and searched. A home that is kept in git is a project: builds and containers often have theirs in one.
 * @param folder without links
 */
export function whatIsTooWide(folder: string, home: string = homeFolder()): string | undefined {
  if (folder === '/') return 'the root of all files of this machine';
  if (folder === withoutLinks(home))
    return isRepository(folder) ? undefined : 'your home folder, with everything in it';
  return OF_THE_SYSTEM.has(folder) ? 'a folder of the system' : undefined;
}

function isRepository(folder: string): boolean {
  return existsSync(join(folder, '.git'));
}

function withoutLinks(home: string): string {
  try {
    return realpathSync(home);
  } catch (error) {
    // Not every user of a container has a home that is there.
    if (systemCodeOf(error) === undefined) throw error;
    return home;
  }
}

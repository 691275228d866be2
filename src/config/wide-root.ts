import { realpathSync } from 'node:fs';
import { relative } from 'node:path';
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
 * those of a home its keys would be shown and searched.
 * @param folder without links
 */
export function whatIsTooWide(folder: string, home: string = homeFolder()): string | undefined {
  if (folder === '/') return 'the root of all files of this machine';
  const without = withoutLinks(home);
  if (folder === without) return 'your home folder, with everything in it';
  if (holdsOpenly(folder, without)) return 'a folder that holds your home folder';
  return OF_THE_SYSTEM.has(folder) ? 'a folder of the system' : undefined;
}

/** Whether one folder lies in another, and not in a hidden folder there, which is no docs either way: builds and tests often have their home in one. */
function holdsOpenly(outer: string, inner: string): boolean {
  return (
    inner.startsWith(`${outer}/`) &&
    !relative(outer, inner)
      .split('/')
      .some((name) => name.startsWith('.'))
  );
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

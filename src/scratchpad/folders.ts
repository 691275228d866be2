import { FsError } from '../core/errors.ts';
import type { SubPath } from '../core/paths.ts';
import { baseName, folderOf } from '../core/paths.ts';
import type { OpenFolder } from './open-folder.ts';

/**
 * Opens the folder at a path below another one, calls `action` with it, and closes it. The path is walked anew each time, so that changes of the disk by others
 * are seen.
 * @throws the errors of the system call: ENOENT, EACCES, ENOTDIR for a file and for a link
 */
export function within<T>(top: OpenFolder, path: string, action: (folder: OpenFolder) => T): T {
  if (path === '') return action(top);
  const folder = top.folderAt(path);
  try {
    return action(folder);
  } finally {
    folder.close();
  }
}

/**
 * Calls `action` with the folder that a path lies in, and the name in it.
 * @throws FsError with `code` for the top itself, and the errors of the system call
 */
export function around<T>(
  top: OpenFolder,
  path: SubPath,
  code: 'EBUSY' | 'EEXIST' | 'EISDIR' | 'EPERM',
  action: (folder: OpenFolder, name: string) => T,
): T {
  if (path === '') throw new FsError(code, path, 'this is the scratchpad itself');
  return within(top, folderOf(path), (folder) => action(folder, nameOf(path)));
}

/** The name of a path in its folder. @throws RangeError if it is no name of an entry, and would lead elsewhere */
export function nameOf(path: SubPath): string {
  const name = baseName(path);
  if (name === '' || name === '.' || name === '..' || name.includes('\0')) {
    throw new RangeError(`${JSON.stringify(name)} is no name of an entry`);
  }
  return name;
}

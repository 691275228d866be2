import { systemCodeOf } from '../core/errors.ts';
import type { FileStatus } from '../system/file-status.ts';
import { kindOf } from './disk-status.ts';
import { within } from './folders.ts';
import type { OpenFolder } from './open-folder.ts';

/**
 * The `lstat` results of a folder and of everything below it, each folder before its content. Links are not followed, and other disks that are mounted below
 * are not entered. What this user may not read, or what vanishes meanwhile, is skipped.
 */
export function* statusesOf(top: OpenFolder): Generator<FileStatus> {
  const status = top.status();
  yield status;
  const waiting = [''];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const above = path === '' ? '' : `${path}/`;
    for (const { name, found } of statusesIn(top, path)) {
      if (found.disk !== status.disk) continue;
      yield found;
      if (kindOf(found) === 'directory') waiting.push(above + name);
    }
  }
}

function statusesIn(
  top: OpenFolder,
  path: string,
): readonly { readonly name: string; readonly found: FileStatus }[] {
  try {
    return within(top, path, (folder) =>
      folder.entries().flatMap(({ name }) => {
        const found = folder.statusOf(name);
        return found === undefined ? [] : [{ name, found }];
      }),
    );
  } catch (error) {
    if (systemCodeOf(error) === undefined) throw error;
    return [];
  }
}

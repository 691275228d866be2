import { systemCodeOf } from '../core/errors.ts';
import type { FileStatus } from '../system/file-status.ts';
import { kindOf } from './disk-status.ts';
import { within } from './folders.ts';
import type { OpenFolder } from './open-folder.ts';

/**
 * What `lstat` says of a folder and of everything below it, each folder before what it holds. Links are not followed, and no other disk
 * that is mounted below is entered. What this user may not read, or what vanishes meanwhile, is passed over.
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

import { lstatSync } from 'node:fs';
import { type DocsSelection, placeOf, wayOf } from '../core/docs-selection.ts';
import { systemCodeOf } from '../core/errors.ts';
import type { FileVersion } from './stamp.ts';

/** The absolute path of something in the docs. */
export function onDisk(docs: DocsSelection, path: string): string {
  const place = placeOf(docs, path);
  if (place === undefined) throw new Error(`${path} is in no docs root`);
  const folder = wayOf(place.root);
  return place.path === '' ? folder : `${folder}/${place.path}`;
}

/** Undefined if it does not exist, or cannot be looked at. */
export function versionOnDisk(file: string): FileVersion | undefined {
  try {
    const status = lstatSync(file, { bigint: true, throwIfNoEntry: false });
    return (
      status && {
        sizeBytes: Number(status.size),
        modifiedNs: status.mtimeNs,
        changedNs: status.ctimeNs,
        inode: status.ino,
      }
    );
  } catch (error) {
    if (systemCodeOf(error) === undefined) throw error;
    return undefined;
  }
}

import { realpathSync, statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { type DocsSelection, pathInDocs, placeOf, placeOnDisk } from '../../core/docs-selection.ts';
import { EXIT, systemCodeOf, UserError } from '../../core/errors.ts';
import { isWithin } from '../../core/paths.ts';
import { diskReasonOf } from '../../source/disk-error.ts';

/**
 * The documents and folders that the arguments name, by paths from the current folder or from the docs root, and the folders on the way to
 * them. Undefined for all.
 * @throws UserError for a path that is not in the docs
 */
export function askedDocuments(
  asked: readonly string[],
  selection: DocsSelection,
  workingFolder: string,
): ((path: string) => boolean) | undefined {
  if (asked.length === 0) return undefined;
  const paths = asked.map((path) => pathOf(path, selection, workingFolder));
  return (path) => paths.some((one) => isWithin(path, one) || isWithin(one, path));
}

function pathOf(asked: string, selection: DocsSelection, workingFolder: string): string {
  const onDisk = existing(resolve(workingFolder, asked));
  const place = onDisk === undefined ? undefined : placeOnDisk(selection, onDisk);
  if (place !== undefined) return pathInDocs(place.root, place.path);
  // The path is a folder around the docs root, so all documents are meant.
  if (onDisk !== undefined && selection.folders.every(({ folder }) => folder.startsWith(`${onDisk}/`)))
    return '';
  const inDocs = asked.replace(/^\.\/|\/+$/g, '');
  if (existing(fileOf(inDocs, selection) ?? '') !== undefined) return inDocs;
  throw new UserError(`${asked}: there is no such file or folder in the docs`);
}

/** The real path of a file; undefined if there is none. @throws UserError if the disk does not tell */
function existing(path: string): string | undefined {
  if (path === '') return undefined;
  try {
    return statSync(path, { throwIfNoEntry: false }) === undefined ? undefined : realpathSync(path);
  } catch (error) {
    if (systemCodeOf(error) === 'ENOTDIR') return undefined;
    if (systemCodeOf(error) === undefined) throw error;
    throw new UserError(`${path} cannot be read: ${diskReasonOf(error)}`, EXIT.failed, { cause: error });
  }
}

/** The path of a document on this machine. */
export function fileOf(path: string, selection: DocsSelection): string | undefined {
  const place = placeOf(selection, path);
  return place && join(place.root.folder, place.path);
}

/** A document's name, as an editor opens it from the current folder. */
export function shownName(path: string, selection: DocsSelection, workingFolder: string): string {
  const file = fileOf(path, selection);
  return file === undefined ? path : relative(realpathSync(workingFolder), file);
}

import { relative } from 'node:path';

/**
 * Returns a function that says whether a path, relative to a docs root, is one of the excluded folders. Another docs root inside this one counts as excluded,
 * so that each document has one path. All folders are absolute.
 */
export function hiddenIn(docs: string, excluded: readonly string[]): (path: string) => boolean {
  const hidden = new Set(pathsWithin(docs, excluded));
  return (path) => hidden.has(path);
}

/** Those of the folders that lie in a docs root, relative to it. All folders are absolute. */
export function pathsWithin(docs: string, folders: readonly string[]): string[] {
  return folders
    .map((folder) => relative(docs, folder))
    .filter((path) => path !== '' && path !== '..' && !path.startsWith('../'));
}

import { relative } from 'node:path';

/**
 * Says which paths, relative to a docs root, are one of the excluded folders. Another docs root that lies in it is one of those, so that each document
 * has one path. All folders absolute.
 */
export function hiddenIn(docs: string, excluded: readonly string[]): (path: string) => boolean {
  const hidden = new Set(pathsWithin(docs, excluded));
  return (path) => hidden.has(path);
}

/** Where folders lie that lie in a docs root, relative to it. All absolute. */
export function pathsWithin(docs: string, folders: readonly string[]): string[] {
  return folders
    .map((folder) => relative(docs, folder))
    .filter((path) => path !== '' && path !== '..' && !path.startsWith('../'));
}

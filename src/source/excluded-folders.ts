import { relative } from 'node:path';
import type { DocsFolder, DocsSelection } from '../core/docs-selection.ts';

/** Says which paths, relative to the docs root, are one of the excluded folders. All folders absolute. */
function excludeFolders(docs: string, excluded: readonly string[]): (path: string) => boolean {
  const hidden = new Set(
    excluded
      .map((folder) => relative(docs, folder))
      .filter((path) => path !== '' && path !== '..' && !path.startsWith('../')),
  );
  return (path) => hidden.has(path);
}

/** The same for one root of several: another root that lies in it is no part of it, so that each document has one path. */
export function hiddenIn(
  { folders }: DocsSelection,
  root: DocsFolder,
  excluded: readonly string[],
): (path: string) => boolean {
  const others = folders.filter(({ name }) => name !== root.name).map(({ folder }) => folder);
  return excludeFolders(root.folder, [...excluded, ...others]);
}

import { relative } from 'node:path';

/** Says which paths, relative to the docs root, are one of the excluded folders. All folders absolute. */
export function excludeFolders(docs: string, excluded: readonly string[]): (path: string) => boolean {
  const hidden = new Set(
    excluded.map((folder) => relative(docs, folder)).filter((path) => path !== '' && !path.startsWith('..')),
  );
  return (path) => hidden.has(path);
}

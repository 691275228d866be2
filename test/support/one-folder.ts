import type { DocsSelection } from '../../src/core/docs-selection.ts';

/** All files of one folder, as docs. @param folder absolute */
export function oneFolder(folder: string): DocsSelection {
  return { folders: [{ name: '', folder }], include: [], exclude: [] };
}

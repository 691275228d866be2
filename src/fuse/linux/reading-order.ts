import type { DirEntry } from '../../core/resolver.ts';
import { inodeOf } from './inode-number.ts';
import type { Node } from './node-table.ts';

/**
 * Of more names than this, GNU's programs (grep, find, du) go by inode numbers, which on disks keeps them from seeking:
 * `_FTS_INODE_SORT_DIR_ENTRIES_THRESHOLD` of gnulib's fts.c.
 */
const MAX_AS_LISTED = 10_000;

/** Names of the files of a folder, in the order in which who reads them all reads them. Takes milliseconds where they are many. */
export function readingOrder(folder: Node, entries: readonly DirEntry[]): string[] {
  const names = entries.filter(({ kind }) => kind === 'file').map(({ name }) => name);
  if (entries.length <= MAX_AS_LISTED) return names;
  const inodes = Float64Array.from(names, (name) => {
    const known = folder.children?.get(name);
    return known?.inode ?? inodeOf(folder.inode, name, {});
  });
  const order = Uint32Array.from(names.keys()).sort((a, b) => numberAt(inodes, a) - numberAt(inodes, b));
  return Array.from(order, (index) => names[index] ?? '');
}

function numberAt(numbers: Float64Array, index: number): number {
  return numbers[index] ?? 0;
}

import type { TreeChange } from '../git/tree-files.ts';
import type { DocumentRow } from '../store/documents.ts';
import type { BlobRequest } from './read-blobs.ts';

/** The documents that differ between the commit that the graph stands at and another one. */
export interface DocumentChanges {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
  readonly renamed: readonly { readonly from: string; readonly to: string }[];
}

/** @param requests documents that are to be read. Those that the graph does not know are new */
export function summary(
  requests: readonly Pick<BlobRequest, 'path' | 'known'>[],
  gone: readonly DocumentRow[],
  changes: readonly TreeChange[],
): DocumentChanges {
  const read = new Map(requests.map((request) => [request.path, request]));
  const removed = new Set(gone.map(({ path }) => path));
  const renamed = changes.flatMap(({ path, renamedFrom }) => {
    return renamedFrom !== undefined && read.has(path) && removed.has(renamedFrom)
      ? [{ from: renamedFrom, to: path }]
      : [];
  });
  for (const { from, to } of renamed) {
    read.delete(to);
    removed.delete(from);
  }
  const isNew = ({ known }: Pick<BlobRequest, 'known'>) => known === undefined;
  const paths = (wanted: readonly Pick<BlobRequest, 'path'>[]) => wanted.map(({ path }) => path).sort();
  return {
    added: paths([...read.values()].filter(isNew)),
    changed: paths([...read.values()].filter((request) => !isNew(request))),
    removed: [...removed].sort(),
    renamed,
  };
}

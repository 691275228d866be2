import { notFolder, type Place } from '../core/generated-tree.ts';

/** A link at a path. `beyond` are the names that follow in the path. @throws FsError ENOTDIR if there are any */
export function linkTo(target: string, modifiedNs: bigint, beyond: readonly string[]): Place {
  if (beyond.length > 0) notFolder(target);
  return { kind: 'link', modifiedNs, target };
}

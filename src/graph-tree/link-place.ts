import { notFolder, type Place } from '../core/generated-tree.ts';

/** A link at a path, of which `beyond` are the names that go on below it. @throws FsError ENOTDIR where there are any */
export function linkTo(target: string, modifiedNs: bigint, beyond: readonly string[]): Place {
  if (beyond.length > 0) notFolder(target);
  return { kind: 'link', modifiedNs, target };
}

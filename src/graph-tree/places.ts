import { notFolder, type Place } from '../core/generated-tree.ts';
import { msToNs, NS_PER_MS } from '../core/node-info.ts';
import type { Revision } from '../store/nodes.ts';

/** When something changed. Another revision is another time, even in the same millisecond: that is how a listing is known to be another. */
export function timeOf({ revision, nowMs }: Revision): bigint {
  return msToNs(nowMs) + (BigInt(revision) % NS_PER_MS);
}

/** A link at a path, of which `beyond` are the names that go on below it. @throws FsError ENOTDIR where there are any */
export function linkTo(target: string, modifiedNs: bigint, beyond: readonly string[]): Place {
  if (beyond.length > 0) notFolder(target);
  return { kind: 'link', modifiedNs, target };
}

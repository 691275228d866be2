import { msToNs, NS_PER_MS } from '../core/node-info.ts';
import type { Revision } from '../store/nodes.ts';

/** When something changed. Another revision is another time, even in the same millisecond: that is how a listing is known to be another. */
export function timeOf({ revision, nowMs }: Revision): bigint {
  return msToNs(nowMs) + (BigInt(revision) % NS_PER_MS);
}

import { msToNs, NS_PER_MS } from '../core/node-info.ts';
import type { Revision } from '../store/nodes.ts';

/** When something changed. Each revision has another time, even in the same millisecond: that is how callers notice that a listing has changed. */
export function timeOf({ revision, nowMs }: Revision): bigint {
  return msToNs(nowMs) + (BigInt(revision) % NS_PER_MS);
}

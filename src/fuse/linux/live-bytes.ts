/** What the kernel has, and may be told, of the bytes of a live file, which others may write as well. */
import type { NodeInfo } from '../../core/resolver.ts';
import type { Node } from './node-table.ts';

/** Whether a live file still has the same bytes, as far as size and time can tell. */
export function hasSameBytes(before: NodeInfo, now: NodeInfo): boolean {
  return before.sizeBytes === now.sizeBytes && before.modifiedNs === now.modifiedNs;
}

/**
 * What the kernel may be told of a node that looks like `now`. If others made a live file longer, the kernel is told the old size until it has dropped
 * the page in which the file used to end: with the new size it would show NUL bytes in the rest of that page. Files of a disk are left out: others
 * seldom lengthen them, and the kernel itself does so in more ways than by writing.
 */
export function tellable({ info, bytesAsOf, invalidating }: Node, now: NodeInfo): NodeInfo {
  const isLive = now.kind === 'file' && now.version === undefined && now.disk === undefined;
  if (!isLive || now.inode !== info.inode || hasSameBytes(bytesAsOf, now)) return now;
  const most = invalidating > 0 ? info.sizeBytes : Math.max(info.sizeBytes, bytesAsOf.sizeBytes);
  const sizeBytes = Math.min(now.sizeBytes, most);
  return sizeBytes === now.sizeBytes ? now : { ...now, sizeBytes };
}

import type { DirEntry } from '../../core/resolver.ts';
import { canBeListed } from '../listed-names.ts';
import type { Node } from './node-table.ts';

/** What {@link digestOf} never gives. */
const MIXED = -1;
const BEING_LISTED = -2;
const TWO_TO_20 = 2 ** 20;

/** Notes that names of a folder are on their way to the kernel, so that what changes until they are there is told of. */
export function noteBeingListed(folder: Node): void {
  folder.listed ??= BEING_LISTED;
}

/**
 * Notes that the kernel is given a listing of a folder, which it keeps.
 * @param entries that can be listed
 * @returns a number that stands for them
 */
export function noteListed(folder: Node, entries: readonly DirEntry[]): number {
  const digest = digestOf(entries);
  // Of two that are read at the same time, the kernel may keep pieces of both.
  const isFirst = folder.listed === undefined || folder.listed === BEING_LISTED;
  folder.listed = isFirst || folder.listed === digest ? digest : MIXED;
  return digest;
}

/** Whether the kernel, where it has a listing of a folder, may keep it. */
export function isListedAlike({ listed }: Node, entries: readonly DirEntry[]): boolean {
  return listed === undefined || listed === digestOf(entries.filter(({ name }) => canBeListed(name)));
}

/** A number below 2^52 that stands for names and kinds, in their order: names themselves would be as much as the table of nodes has. */
function digestOf(entries: readonly DirEntry[]): number {
  let high = 0x811c9dc5;
  let low = entries.length;
  for (const { name, kind } of entries) {
    const text = `${name}/${kind}`;
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      high = Math.imul(high ^ code, 0x01000193);
      low = (Math.imul(low, 31) + code) | 0;
    }
    high = Math.imul(high ^ low, 0x85ebca6b);
  }
  return (high >>> 0) * TWO_TO_20 + (low >>> 12);
}

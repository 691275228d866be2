/**
 * Numbers in messages, least byte first: reading and writing them takes a fifth of what the methods of Buffer take, which are JavaScript that V8 has to
 * compile first. What lies beyond the bytes throws a RangeError.
 */

import { exactInode, TWO_TO_32 } from '../../../system/inode.ts';

export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

let latestOutput: Buffer | undefined;
let latestView = viewOf(Buffer.alloc(0));

/** As {@link viewOf}, of a buffer that is mostly the same as the last time. */
export function outputView(out: Buffer): DataView {
  if (out === latestOutput) return latestView;
  latestView = viewOf(out);
  latestOutput = out;
  return latestView;
}

export function u32(view: DataView, at: number): number {
  return view.getUint32(at, true);
}

/** Exact up to 2^53: beyond it are no node, handle or request of ours, and no position in a file that a disk would take. */
export function u64(view: DataView, at: number): number {
  return view.getUint32(at, true) + view.getUint32(at + 4, true) * TWO_TO_32;
}

/** @param value a whole number; of a larger one the lower bits, of a negative one two's complement */
export function setU32(view: DataView, at: number, value: number): void {
  view.setUint32(at, value, true);
}

/** @param value a whole number between -2^53 and 2^53 */
export function setU64(view: DataView, at: number, value: number): void {
  view.setUint32(at, value, true);
  view.setUint32(at + 4, Math.floor(value / TWO_TO_32), true);
}

/** @param inode as `inodeOfWords` gives it: the kernel is told the disk's own number */
export function setInode(view: DataView, at: number, inode: number): void {
  if (inode >= 0) setU64(view, at, inode);
  else view.setBigUint64(at, exactInode(inode), true);
}

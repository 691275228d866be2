/** Sizes, positions and times, which fuse-native.c hands over, and takes, as two numbers of 32 bits. */
import { TWO_TO_32 } from '../../system/inode.ts';

/** @param high of what may be negative, as a time before 1970, its sign too: `high | 0` */
export function wideNumber(low: number, high: number): number {
  return low + high * TWO_TO_32;
}

/** Writes a number from 0 on at a position and the one behind it. */
export function setWideNumber(target: Uint32Array, position: number, value: number): void {
  target[position] = value % TWO_TO_32;
  target[position + 1] = Math.floor(value / TWO_TO_32);
}

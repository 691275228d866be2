/** Sizes, positions and times, which fuse-native.c passes as two numbers of 32 bits. */
import { TWO_TO_32 } from '../../system/inode.ts';

/** @param high for a number that may be negative, such as a time before 1970, with its sign: `high | 0` */
export function wideNumber(low: number, high: number): number {
  return low + high * TWO_TO_32;
}

/** Writes a number that is not negative to a position and the next one. */
export function setWideNumber(target: Uint32Array, position: number, value: number): void {
  target[position] = value % TWO_TO_32;
  target[position + 1] = Math.floor(value / TWO_TO_32);
}

/**
 * Inode numbers have 64 bits, numbers of JavaScript are exact up to 2^53, and from 2^48 on are those that no disk of this machine gave out. Disks that
 * number files beyond that (an overlay with `xino`, a network file system that takes the server's numbers) are few, so theirs alone are kept beside: as
 * negative numbers, which stand for them as long as this process lives.
 */

const TWO_TO_32 = 0x1_0000_0000;
const FIRST_KEPT_HIGH_WORD = 2 ** 16;

const exact: bigint[] = [];
const standIns = new Map<bigint, number>();

/** Equal for equal numbers alone; below 2^48. @param low the lower 32 bits. @param high the others */
export function inodeOfWords(low: number, high: number): number {
  if (high < FIRST_KEPT_HIGH_WORD) return low + high * TWO_TO_32;
  const inode = (BigInt(high) << 32n) | BigInt(low);
  const known = standIns.get(inode);
  if (known !== undefined) return known;
  const standIn = -exact.push(inode);
  standIns.set(inode, standIn);
  return standIn;
}

/** The number itself. @param inode as {@link inodeOfWords} gives it, or another number below 2^53 */
export function exactInode(inode: number): bigint {
  return (inode < 0 ? exact[-inode - 1] : undefined) ?? BigInt(inode);
}

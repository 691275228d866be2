/**
 * Inode numbers have 64 bits, numbers of JavaScript are exact up to 2^53, and from 2^48 on are those that no disk of this machine gave out. Disks that
 * number files beyond that (an overlay with `xino`, a network file system that takes the server's numbers) are few, and their upper halves are a few, too:
 * each of those gets a short number, and negative ones with that in its place stand for theirs as long as this thread lives.
 */

const TWO_TO_32 = 0x1_0000_0000;
const FIRST_KEPT_HIGH_WORD = 2 ** 16;
/** With more, a number that stands for another would not be exact either. */
const MAX_KEPT_HIGH_WORDS = 2 ** 21;

const kept: number[] = [];
const placeOf = new Map<number, number>();

/** Equal for equal numbers alone; below 2^48. @param low the lower 32 bits. @param high the others. @throws RangeError for the two millionth upper half */
export function inodeOfWords(low: number, high: number): number {
  if (high < FIRST_KEPT_HIGH_WORD) return low + high * TWO_TO_32;
  return -(placeOfHigh(high) * TWO_TO_32 + low) - 1;
}

/** The number itself. @param inode as {@link inodeOfWords} gives it, or another number below 2^53 */
export function exactInode(inode: number): bigint {
  if (inode >= 0) return BigInt(inode);
  const standing = -inode - 1;
  const high = kept[Math.floor(standing / TWO_TO_32)] ?? 0;
  return (BigInt(high) << 32n) | BigInt(standing % TWO_TO_32);
}

function placeOfHigh(high: number): number {
  const known = placeOf.get(high);
  if (known !== undefined) return known;
  if (kept.length === MAX_KEPT_HIGH_WORDS) throw new RangeError('a disk has inode numbers of too many kinds');
  const place = kept.push(high) - 1;
  placeOf.set(high, place);
  return place;
}

/**
 * Inode numbers of 64 bits as numbers of JavaScript, which are exact up to 2^53. Disks of this machine give out numbers below 2^48, and those stay as they are.
 * Few disks give out higher ones: an overlay with `xino`, or a network file system that takes the server's numbers. Their upper halves mostly are few, too, so
 * each upper half gets a short number, and a negative number with that in its place stands for the inode as long as this thread lives.
 *
 * A disk with random inode numbers has another upper half for each file. Once many upper halves are known, 52 bits of a hash stand for the number instead. Two
 * files may then get the same number, and count as hard links to one file: among ten million files, the probability of that is one in ninety.
 */

export const TWO_TO_32 = 0x1_0000_0000;
const TWO_TO_48 = 2 ** 48;
const FIRST_KEPT_HIGH_WORD = 2 ** 16;
/** How many upper halves are kept. The numbers that stand for them take the room of 2^48 numbers, and the table takes some megabytes. */
const MAX_KEPT_HIGH_WORDS = 2 ** 16;
const TWENTY_BITS = 0xf_ffff;
/** The range of hashes among numbers of 64 bits: the kernel takes any number, and disks hardly ever use this range. */
const HASHES = 1n << 62n;

const kept: number[] = [];
const placeOf = new Map<number, number>();

/**
 * A number that is equal for equal inode numbers, and different for different ones unless they are hashed. It is below 2^48.
 * @param low the lower 32 bits. @param high the upper 32 bits
 */
export function inodeOfWords(low: number, high: number): number {
  if (high < FIRST_KEPT_HIGH_WORD) return low + high * TWO_TO_32;
  const place = placeOfHigh(high);
  return -(place === undefined ? TWO_TO_48 + hashOf(low, high) : place * TWO_TO_32 + low) - 1;
}

/** The inode number itself, unless it was hashed. @param inode a result of {@link inodeOfWords}, or another number below 2^53 */
export function exactInode(inode: number): bigint {
  if (inode >= 0) return BigInt(inode);
  const { low, high, hash } = wordsOf(inode);
  return hash === undefined ? (BigInt(high) << 32n) | BigInt(low) : HASHES + BigInt(hash);
}

/** A number that is the same in all threads and in each run, whatever upper halves are known there. @param inode a result of {@link inodeOfWords} */
export function lastingInode(inode: number): bigint {
  if (inode >= 0) return BigInt(inode);
  const { low, high, hash = hashOf(low, high) } = wordsOf(inode);
  return HASHES + BigInt(hash);
}

/** @param inode a negative result of {@link inodeOfWords} */
function wordsOf(inode: number): { low: number; high: number; hash?: number } {
  const standing = -inode - 1;
  if (standing >= TWO_TO_48) return { low: 0, high: 0, hash: standing - TWO_TO_48 };
  return { low: standing % TWO_TO_32, high: kept[Math.floor(standing / TWO_TO_32)] ?? 0 };
}

function placeOfHigh(high: number): number | undefined {
  const known = placeOf.get(high);
  if (known !== undefined || kept.length === MAX_KEPT_HIGH_WORDS) return known;
  const place = kept.push(high) - 1;
  placeOf.set(high, place);
  return place;
}

/** A hash of 52 bits. */
function hashOf(low: number, high: number): number {
  const first = mixed(low ^ mixed(high));
  const second = mixed(high ^ mixed(first ^ low));
  return (first >>> 0) + (second & TWENTY_BITS) * TWO_TO_32;
}

/** The finalizer of MurmurHash3: each bit of the result depends on all bits of the word. */
function mixed(word: number): number {
  let bits = word;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85eb_ca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2_ae35);
  return bits ^ (bits >>> 16);
}

/**
 * Inode numbers have 64 bits, numbers of JavaScript are exact up to 2^53, and from 2^48 on are those that no disk of this machine gave out. Disks that
 * number files beyond that (an overlay with `xino`, a network file system that takes the server's numbers) are few, and their upper halves mostly are a
 * few, too: each of those gets a short number, and negative ones with that in its place stand for theirs as long as this thread lives.
 *
 * A disk that draws its numbers by lot has another upper half for each file. Of those that come when so many are known, 52 bits of a hash stand for the
 * number. Two files may have the same: of ten million, with a probability of one in ninety. They count as hard links to one file then.
 */

export const TWO_TO_32 = 0x1_0000_0000;
const TWO_TO_48 = 2 ** 48;
const FIRST_KEPT_HIGH_WORD = 2 ** 16;
/** What stands for numbers with these takes the place of 2^48 numbers, and some megabytes. */
const MAX_KEPT_HIGH_WORDS = 2 ** 16;
const TWENTY_BITS = 0xf_ffff;
/** Where hashes lie among numbers of 64 bits: the kernel takes any, and a disk has these hardly ever. */
const HASHES = 1n << 62n;

const kept: number[] = [];
const placeOf = new Map<number, number>();

/**
 * Equal for equal numbers and, but for those that a hash stands for, for those alone; below 2^48.
 * @param low the lower 32 bits. @param high the others
 */
export function inodeOfWords(low: number, high: number): number {
  if (high < FIRST_KEPT_HIGH_WORD) return low + high * TWO_TO_32;
  const place = placeOfHigh(high);
  return -(place === undefined ? TWO_TO_48 + hashOf(low, high) : place * TWO_TO_32 + low) - 1;
}

/** The number itself, but for those that a hash stands for. @param inode as {@link inodeOfWords} gives it, or another number below 2^53 */
export function exactInode(inode: number): bigint {
  if (inode >= 0) return BigInt(inode);
  const { low, high, hash } = wordsOf(inode);
  return hash === undefined ? (BigInt(high) << 32n) | BigInt(low) : HASHES + BigInt(hash);
}

/** Equal in all threads and in each run, whatever upper halves are known there. @param inode as {@link inodeOfWords} gives it */
export function lastingInode(inode: number): bigint {
  if (inode >= 0) return BigInt(inode);
  const { low, high, hash = hashOf(low, high) } = wordsOf(inode);
  return HASHES + BigInt(hash);
}

/** @param inode negative */
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

/** 52 bits. */
function hashOf(low: number, high: number): number {
  const first = mixed(low ^ mixed(high));
  const second = mixed(high ^ mixed(first ^ low));
  return (first >>> 0) + (second & TWENTY_BITS) * TWO_TO_32;
}

/** The finalizer of MurmurHash3: each bit of the result follows from all. */
function mixed(word: number): number {
  let bits = word;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85eb_ca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2_ae35);
  return bits ^ (bits >>> 16);
}

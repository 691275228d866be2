import type { NodeInfo } from '../../core/resolver.ts';
import { TWO_TO_32 } from '../../system/inode.ts';

export const ROOT_INODE = 1;

/** Numbers of what has none of its own begin here; resolvers give out smaller ones. */
const FIRST_PATH_INODE = 2 ** 51;
const HASH_RANGE = 2 ** 50;

/**
 * `st_ino`: the resolver's own number, else one that follows from the path, the same in every mount. Two paths in 100,000,000 pairs of folders
 * of 10,000 files may share one; nothing but `find -samefile` and its kin would notice.
 */
export function inodeOf(folderInode: number, name: string, { inode }: Pick<NodeInfo, 'inode'>): number {
  return inode ?? FIRST_PATH_INODE + hash(folderInode, name);
}

/** Two multiplicative hashes of 32 bits, mixed: good enough to spread names, and exact in doubles. */
function hash(seed: number, text: string): number {
  let a = 0xdeadbeef ^ (seed % TWO_TO_32);
  let b = 0x41c6ce57 ^ Math.floor(seed / TWO_TO_32);
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    a = Math.imul(a ^ unit, 2654435761);
    b = Math.imul(b ^ unit, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return ((b >>> 0) * 0x4_0000 + (a >>> 14)) % HASH_RANGE;
}

import type { Thread } from './binding.ts';

/**
 * Where `fuse_thread_locals_t` of fuse-native.c 2.2.6 keeps the time of access; that of change follows. The structure has no other
 * layout on the one Linux that the package is built for (x86-64).
 */
const ACCESSED_AT = 104;
const MODIFIED_AT = ACCESSED_AT + 8;

/**
 * The time of change that utimensat(2) was called with, in milliseconds since 1970. The binding hands over the time of access twice (its line
 * 346), but the right one lies in the memory of the thread that asks.
 * @param accessedMs as the binding says, which has to be what the memory says: otherwise it is none we know
 * @returns `accessedMs` where the memory is none we know
 */
export function modifiedMsOf({ thread }: { readonly thread: Thread }, accessedMs: number): number {
  if (!Buffer.isBuffer(thread) || thread.length < MODIFIED_AT + 8) return accessedMs;
  if (thread.readBigInt64LE(ACCESSED_AT) !== BigInt(accessedMs)) return accessedMs;
  return Number(thread.readBigInt64LE(MODIFIED_AT));
}

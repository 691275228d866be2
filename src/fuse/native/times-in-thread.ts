import type { Thread } from './binding.ts';

/**
 * The offset of the time of access in `fuse_thread_locals_t` of fuse-native.c 2.2.6; the time of change follows. The structure has no other layout on the one
 * Linux that the package is built for (x86-64).
 */
const ACCESSED_AT = 104;
const MODIFIED_AT = ACCESSED_AT + 8;

/**
 * The time of change that utimensat(2) was called with, in milliseconds since 1970. The binding passes the time of access twice (its line 346), but the right
 * one is in the memory of the calling thread.
 * @param accessedMs the time of access from the binding. If the memory has another one, its layout is unknown
 * @returns `accessedMs` if the layout of the memory is unknown
 */
export function modifiedMsOf({ thread }: { readonly thread: Thread }, accessedMs: number): number {
  if (!Buffer.isBuffer(thread) || thread.length < MODIFIED_AT + 8) return accessedMs;
  if (thread.readBigInt64LE(ACCESSED_AT) !== BigInt(accessedMs)) return accessedMs;
  return Number(thread.readBigInt64LE(MODIFIED_AT));
}

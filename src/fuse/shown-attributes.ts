/** What both drivers tell the kernel of files that no disk has. */
import type { FileKind } from '../core/resolver.ts';

export const BLOCK_BYTES = 4096;
/** Of `st_blocks`, whatever the disk; stat(2). */
export const SECTOR_BYTES = 512;

/** Of who mounted. */
export const OWN_USER_ID = process.getuid?.() ?? 0;
export const OWN_GROUP_ID = process.getgid?.() ?? 0;

/** `st_blocks`: how many sectors the blocks of a file have. */
export function sectorsOf(kind: FileKind, sizeBytes: number): number {
  return kind === 'link' ? 0 : Math.ceil(sizeBytes / BLOCK_BYTES) * (BLOCK_BYTES / SECTOR_BYTES);
}

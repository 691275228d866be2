import { statfsSync } from 'node:fs';

/**
 * How many bytes this process may still write to the disk that a folder is on.
 * @throws the system's error if there is no such folder
 */
export function freeBytesAt(folder: string): number {
  const { bfree, bavail, bsize } = statfsSync(folder);
  // Only root may use the blocks that are set aside for it.
  return (process.getuid?.() === 0 ? bfree : bavail) * bsize;
}

import { statfsSync } from 'node:fs';

/**
 * What this process may still write to the disk that a folder is on.
 * @throws the system's error where there is no such folder
 */
export function freeBytesAt(folder: string): number {
  const { bfree, bavail, bsize } = statfsSync(folder);
  // What is set aside for root.
  return (process.getuid?.() === 0 ? bfree : bavail) * bsize;
}

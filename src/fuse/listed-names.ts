import { MAX_NAME_BYTES } from '../core/paths.ts';

/** One name that cannot be, and the kernel answers EIO for all of the listing. */
export function canBeListed(name: string): boolean {
  if (name === '' || name === '.' || name === '..' || name.includes('/') || name.includes('\0')) return false;
  return name.length <= MAX_NAME_BYTES / 4 || Buffer.byteLength(name) <= MAX_NAME_BYTES;
}

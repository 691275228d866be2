import { constants as osConstants } from 'node:os';
import { checked, lastErrno, systemError, unchecked } from './libc.ts';

/** Extended attributes of what an absolute path leads to, see xattr(7). Neither a path nor a name may hold a NUL. */

const listxattr = unchecked<[path: string, list: Uint8Array, sizeBytes: number]>(
  'int64_t listxattr(const char* path, uint8_t* list, size_t size)',
);
const getxattr = unchecked<[path: string, name: string, value: Uint8Array, sizeBytes: number]>(
  'int64_t getxattr(const char* path, const char* name, uint8_t* value, size_t size)',
);
const setxattr = checked<[path: string, name: string, value: Uint8Array, sizeBytes: number, flags: number]>(
  'int setxattr(const char* path, const char* name, uint8_t* value, size_t size, int flags)',
);

/** `XATTR_LIST_MAX` and `XATTR_SIZE_MAX`, from linux/limits.h: no list of names and no value is longer. */
const MAX_BYTES = 65_536;
/** A buffer that the calls below share, since they do not overlap. */
const room = Buffer.alloc(MAX_BYTES);

/** listxattr(2): the full names; empty if the disk has no extended attributes. Bytes that are not UTF-8 read as U+FFFD. @throws Error with a `code` */
export function attributeNames(path: string): string[] {
  const sizeBytes = listxattr(path, room, room.length);
  if (sizeBytes >= 0) return room.toString('utf8', 0, sizeBytes).split('\0').slice(0, -1);
  const errno = lastErrno();
  if (errno === osConstants.errno.ENOTSUP) return [];
  throw systemError(errno, 'listxattr');
}

/** getxattr(2). @returns undefined if there is no attribute with this name. @throws Error with a `code` */
export function attributeOf(path: string, name: string): Buffer | undefined {
  const sizeBytes = getxattr(path, name, room, room.length);
  if (sizeBytes >= 0) return Buffer.from(room.subarray(0, sizeBytes));
  const errno = lastErrno();
  if (errno === osConstants.errno.ENODATA) return undefined;
  throw systemError(errno, 'getxattr');
}

/** setxattr(2). @param flags 1 if the attribute must be new, 2 if it must exist. @throws Error with a `code` */
export function setAttributeOf(path: string, name: string, value: Uint8Array, flags: number): void {
  setxattr(path, name, value, value.length, flags);
}

/** removexattr(2). @throws Error with a `code` */
export const removeAttributeOf = checked<[path: string, name: string]>(
  'int removexattr(const char* path, const char* name)',
);

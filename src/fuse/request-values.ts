import { constants } from 'node:fs';
import type { AttributeUse, NewNode } from '../core/changes.ts';
import { FsError } from '../core/errors.ts';
import { PERMISSION_BITS } from '../core/file-modes.ts';
import { kindOfMode } from './mode-bits.ts';

/** What the numbers in requests mean, whichever driver receives them. */

const { O_RDONLY, O_RDWR, O_WRONLY, O_TRUNC } = constants;
const ACCESS_MODE = O_RDONLY | O_WRONLY | O_RDWR;
/** Of sys/xattr.h. */
const XATTR_CREATE = 1;
const XATTR_REPLACE = 2;

/** @param flags of open(2) */
export function opensToWrite(flags: number): boolean {
  return (flags & (ACCESS_MODE | O_TRUNC)) !== O_RDONLY;
}

/** What mknod(2) is to make. @throws FsError EINVAL */
export function newNode(path: string, mode: number, device: number): NewNode {
  const kind = kindOfMode(mode) ?? 'file';
  if (kind === 'directory' || kind === 'link') {
    throw new FsError('EINVAL', path, 'mknod makes no folders and links');
  }
  return { kind, mode: mode & PERMISSION_BITS, device };
}

/** Of other attributes there are none. */
export function isUserAttribute(name: string): boolean {
  return name.startsWith('user.');
}

/** @throws FsError ENOTSUP */
export function requireUserAttribute(path: string, name: string): void {
  if (!isUserAttribute(name)) throw new FsError('ENOTSUP', path, `there are no ${name} attributes`);
}

/** @param flags of setxattr(2) */
export function attributeUseOf(flags: number): AttributeUse {
  if ((flags & XATTR_CREATE) !== 0) return 'create';
  return (flags & XATTR_REPLACE) !== 0 ? 'replace' : 'either';
}

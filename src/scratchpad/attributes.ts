import type { AttributeUse } from '../core/changes.ts';
import { FsError, systemCodeOf } from '../core/errors.ts';
import type { Attributes } from '../core/resolver.ts';
import type { OpenEntry } from './open-entry.ts';
import { noSpaceAt } from './refusals.ts';
import type { SpaceLedger } from './space-ledger.ts';

/** Other namespaces belong to the system: permissions, and labels of its security modules. */
const PREFIX = 'user.';
/**
 * How many bytes the attributes of one file may have, including their names: about as many as ext4 has room for. On a disk with more room, attributes would be
 * a way around the quota, which counts blocks.
 */
const ATTRIBUTES_BYTES = 4096;
/** `XATTR_CREATE` and `XATTR_REPLACE` of setxattr(2). */
const USE_FLAGS: Readonly<Record<AttributeUse, number>> = { either: 0, create: 1, replace: 2 };
const UNREADABLE = Buffer.alloc(0);

/** What attributes are changed of, and what counts the space that they take. */
export interface AttributesPlace {
  readonly entry: OpenEntry;
  /** For messages. */
  readonly path: string;
  readonly ledger: SpaceLedger;
}

/** The extended attributes of an entry, without names that are not UTF-8. @throws the disk's errors */
export function attributesOf(entry: OpenEntry): Attributes {
  const attributes = new Map<string, Uint8Array>();
  for (const name of entry.attributeNames()) {
    if (!name.startsWith(PREFIX) || name.includes('\uFFFD')) continue;
    const value = readableValueOf(entry, name);
    // Undefined if it was removed just now.
    if (value !== undefined) attributes.set(name, value);
  }
  return attributes;
}

/**
 * Sets an attribute.
 * @throws FsError ENOTSUP for a name that does not begin with `user.`, EINVAL and EILSEQ for one that no disk takes, ENOSPC past {@link ATTRIBUTES_BYTES} or
 * past the disk's own limit for a file, or if the quota has no room for as much as all attributes of a file may take. @throws the disk's errors
 */
export function setAttribute(
  { entry, path, ledger }: AttributesPlace,
  name: string,
  value: Uint8Array,
  use: AttributeUse,
): void {
  if (ledger.freeBytesFor(ATTRIBUTES_BYTES) < ATTRIBUTES_BYTES) throw noSpaceAt(path);
  requireName(name, path);
  const others = entry.attributeNames().filter((other) => other !== name);
  const otherBytes = others.map((other) => bytesOf(other, readableValueOf(entry, other) ?? UNREADABLE));
  const sizeBytes = otherBytes.reduce((sum, bytes) => sum + bytes, bytesOf(name, value));
  if (sizeBytes > ATTRIBUTES_BYTES) throw noRoom(path);
  try {
    entry.setAttribute(name, value, USE_FLAGS[use]);
  } catch (error) {
    if (systemCodeOf(error) === 'ENOSPC') throw noRoom(path, error);
    throw error;
  }
  ledger.see(entry.status());
}

/** @throws FsError as `setAttribute` for a name. @throws the disk's errors */
export function removeAttribute({ entry, path, ledger }: AttributesPlace, name: string): void {
  requireName(name, path);
  entry.removeAttribute(name);
  ledger.see(entry.status());
}

/** Without permission to read a file, its attribute names are still shown, as by listxattr(2). The kernel of the mount does not ask for values in that case. */
function readableValueOf(entry: OpenEntry, name: string): Uint8Array | undefined {
  try {
    return entry.attribute(name);
  } catch (error) {
    if (systemCodeOf(error) === 'EACCES') return UNREADABLE;
    throw error;
  }
}

function requireName(name: string, path: string): void {
  if (!name.startsWith(PREFIX)) throw new FsError('ENOTSUP', path, `there are no ${name} attributes`);
  if (name.includes('\0'))
    throw new FsError('EINVAL', path, 'the name of an attribute cannot hold a NUL character');
  if (!name.isWellFormed() || name.includes('\uFFFD'))
    throw new FsError('EILSEQ', path, 'the name of an attribute is UTF-8 text; these bytes are not');
}

function bytesOf(name: string, value: Uint8Array): number {
  return Buffer.byteLength(name) + value.length;
}

function noRoom(path: string, cause?: unknown): FsError {
  const why = `the extended attributes of one file have room for ${ATTRIBUTES_BYTES} bytes at most, on some disks for less`;
  return new FsError('ENOSPC', path, why, { cause });
}

import { isUtf8 } from 'node:buffer';
import type { AttributeUse } from '../core/changes.ts';
import { FsError } from '../core/errors.ts';
import { isoTime } from '../core/iso-time.ts';
import { type MemoryEntry, placeText } from '../core/memory-entry.ts';
import type { VfsPath } from '../core/paths.ts';
import { type Fields, fieldsOf, isMetadataField, type MetadataField, readField } from './metadata.ts';

const PREFIX = 'user.kgraphfs.';
/** Attributes that follow from what was done to an entry. Nobody can set them. */
const FIXED: ReadonlySet<string> = new Set([
  'type',
  'actor',
  'session',
  'access_count',
  'created_at',
  'updated_at',
  'expires_at',
  'version',
  'duplicate_of',
  'superseded_by',
  'reviewer',
  'reviewed_at',
]);

/**
 * The extended attributes of an entry. Its metadata has the names that it has in front matter; the items of lists are joined by commas, `ttl` is in
 * seconds. Attributes that follow from what was done to the entry are added, with times in ISO 8601.
 */
export function attributesOf(entry: MemoryEntry): Map<string, string> {
  const fixed: [string, string | undefined][] = [
    ['type', entry.type],
    ['actor', entry.actor],
    ['session', entry.session],
    ['access_count', String(entry.accessCount)],
    ['created_at', isoTime(entry.createdMs)],
    ['updated_at', isoTime(entry.updatedMs)],
    ['expires_at', isoTime(entry.expiresMs)],
    ['version', String(entry.version)],
    ['duplicate_of', entry.duplicateOf && placeText(entry.duplicateOf)],
    ['superseded_by', entry.supersededBy && placeText(entry.supersededBy)],
    ['reviewer', entry.reviewer],
    ['reviewed_at', isoTime(entry.reviewedMs)],
  ];
  const attributes = new Map<string, string>();
  for (const [name, value] of fixed) if (value !== undefined) attributes.set(PREFIX + name, value);
  for (const [name, value] of Object.entries(fieldsOf(entry))) {
    attributes.set(PREFIX + name, Array.isArray(value) ? value.join() : String(value));
  }
  return attributes;
}

/**
 * The fields as setxattr(2) leaves them.
 * @throws FsError ENOTSUP for an unknown name, EPERM for one that cannot be set, EEXIST or ENODATA as `use` demands, EINVAL
 */
export function setField(
  fields: Fields,
  name: string,
  value: Uint8Array,
  use: AttributeUse,
  path: VfsPath,
): Fields {
  const field = fieldNamed(name, path);
  const isSet = fields[field] !== undefined;
  if (use === 'create' && isSet) throw new FsError('EEXIST', path, `${name} is set already`);
  if (use === 'replace' && !isSet) throw new FsError('ENODATA', path, `${name} is not set`);
  if (!isUtf8(value)) throw new FsError('EINVAL', path, `${name} is UTF-8 text; these bytes are not`);
  const read = readField(field, Buffer.from(value).toString());
  if ('problem' in read) throw new FsError('EINVAL', path, read.problem);
  return { ...without(fields, field), ...read.fields };
}

/** The fields as removexattr(2) leaves them. @throws FsError ENOTSUP, EPERM, ENODATA */
export function removeField(fields: Fields, name: string, path: VfsPath): Fields {
  const field = fieldNamed(name, path);
  if (fields[field] === undefined) throw new FsError('ENODATA', path, `${name} is not set`);
  return without(fields, field);
}

/** Whether an attribute follows from what is done to a memory. A copy of the memory cannot have it then. */
export function isKeptAttribute(name: string): boolean {
  return name.startsWith(PREFIX) && FIXED.has(name.slice(PREFIX.length));
}

function fieldNamed(name: string, path: VfsPath): MetadataField {
  const field = name.startsWith(PREFIX) ? name.slice(PREFIX.length) : '';
  if (isMetadataField(field)) return field;
  if (FIXED.has(field))
    throw new FsError('EPERM', path, `${name} follows from other things and cannot be set`);
  throw new FsError('ENOTSUP', path, `memories have no attribute ${name}`);
}

function without(fields: Fields, field: MetadataField): Fields {
  const { [field]: _, ...rest } = fields;
  return rest;
}

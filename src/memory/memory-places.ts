import { FsError } from '../core/errors.ts';
import { MEMORY_TYPES, type MemoryPlace, type MemoryType } from '../core/memory-entry.ts';
import {
  joinPath,
  MAX_NAME_BYTES,
  MAX_PATH_BYTES,
  parsePath,
  type SubPath,
  type VfsPath,
} from '../core/paths.ts';
import { compareTexts } from '../text/compare-texts.ts';

/** Where the tree shows memory and what waits for review. */
const CONTEXT_POINT = parsePath('/context');

/** The path of a place below the folder that shows memory. The key may be empty, for the folder of the type. */
export function subPathOf({ type, key }: MemoryPlace): SubPath {
  return (key === '' ? `memory/${type}` : `memory/${type}/${key}`) as SubPath;
}

/** The path of a place in the mount. */
export function pathOf(place: MemoryPlace): VfsPath {
  return joinPath(CONTEXT_POINT, subPathOf(place));
}

export function reviewPathOf(name: string): SubPath {
  return (name === '' ? 'review' : `review/${name}`) as SubPath;
}

/** The place that a text such as `fact/refunds` names; undefined if it does not begin with a type. */
export function parsePlace(text: string): MemoryPlace | undefined {
  const end = text.indexOf('/');
  const type = MEMORY_TYPES.find((type) => type === text.slice(0, end));
  return end === -1 || type === undefined ? undefined : { type, key: text.slice(end + 1) };
}

/** Splits a key into its folder, which may be empty, and its last part. */
export function splitKey(key: string): { folder: string; name: string } {
  const end = key.lastIndexOf('/');
  return { folder: key.slice(0, Math.max(0, end)), name: key.slice(end + 1) };
}

export function joinKey(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}

/** The place of a row. */
export function placeOfRow(row: { type: MemoryType; folder: string; name: string }): MemoryPlace {
  return { type: row.type, key: joinKey(row.folder, row.name) };
}

/** The folders above a key, topmost first. */
export function foldersOf(key: string): string[] {
  const parts = key.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}

/** Orders places by type, in the order of the types, then by key. */
export function comparePlaces(a: MemoryPlace, b: MemoryPlace): number {
  const types = MEMORY_TYPES.indexOf(a.type) - MEMORY_TYPES.indexOf(b.type);
  return types !== 0 ? types : compareTexts(a.key, b.key);
}

/** @throws FsError EINVAL for a key that cannot be a path below the folder of its type */
export function requireKey(place: MemoryPlace): void {
  const refuse = (why: string): never => {
    throw new FsError('EINVAL', pathOf(place), why);
  };
  const { type, key } = place;
  if (!MEMORY_TYPES.includes(type)) refuse(`a type of memory is one of ${MEMORY_TYPES.join(', ')}`);
  if (key.includes('\0') || !key.isWellFormed() || key.includes('\uFFFD'))
    refuse('a key is text without NUL');
  if (Buffer.byteLength(key) > MAX_PATH_BYTES - MAX_NAME_BYTES) refuse('this key is too long');
  for (const part of key.split('/')) {
    if (part === '' || part === '.' || part === '..') {
      refuse('a key is a name, or names with a slash between them, none of them . or ..');
    }
    if (Buffer.byteLength(part) > MAX_NAME_BYTES)
      refuse(`each part of a key has at most ${MAX_NAME_BYTES} bytes`);
  }
}

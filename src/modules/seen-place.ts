import { hash } from 'node:crypto';
import { MAX_NAME_BYTES, MAX_PATH_BYTES } from '../core/paths.ts';
import type { DirEntry } from '../core/resolver.ts';
import type { ModuleFile, ModuleName, ModulePlace, ModuleTime } from './module.ts';
import type { SeenPlace } from './wire.ts';

/** The maximal size of a file. */
export const MAX_FILE_BYTES = 16 << 20;
/** The maximal number of names in a folder. */
const MAX_NAMES = 50_000;
/** The latest time that a Date can have. */
const LATEST_MS = 8.64e15;
const KINDS: ReadonlySet<string> = new Set(['file', 'directory', 'link']);

/** Checks a module's answer for a path. @param note is told of names that no file can have @throws Error if it is too large, or not a possible answer */
export async function seenPlace(place: ModulePlace, note: (message: string) => void): Promise<SeenPlace> {
  const modifiedMs = millisecondsOf(place.modified);
  if ('link' in place) {
    if (typeof place.link !== 'string' || Buffer.byteLength(place.link) > MAX_PATH_BYTES)
      throw new Error('the target of a link is not text, or too long');
    return { kind: 'link', modifiedMs, target: place.link };
  }
  if ('folder' in place) {
    const names = typeof place.folder === 'function' ? await place.folder() : place.folder;
    return { kind: 'directory', modifiedMs, entries: entriesOf(names, note) };
  }
  if (!('file' in place)) throw new Error('what stands at a path has a file, a folder or a link');
  const { sizeBytes } = place;
  const isWritable = Boolean(place.writable);
  const version = versionOf(place.version);
  if (sizeBytes !== undefined && version !== undefined && Number.isSafeInteger(sizeBytes) && sizeBytes >= 0) {
    requireSize(sizeBytes);
    return { kind: 'file', sizeBytes, version, modifiedMs, isWritable, bytes: undefined };
  }
  const bytes = await contentOf(place);
  const ownVersion = version ?? hash('sha1', bytes);
  return { kind: 'file', sizeBytes: bytes.length, version: ownVersion, modifiedMs, isWritable, bytes };
}

/** The content of a file, copied. @throws Error if it is not content, or too long */
export async function contentOf({ file }: ModuleFile): Promise<Uint8Array<ArrayBuffer>> {
  const content: unknown = typeof file === 'function' ? await file() : file;
  if (typeof content === 'string') {
    requireSize(content.length);
    const bytes = new TextEncoder().encode(content);
    requireSize(bytes.length);
    return bytes;
  }
  if (!(content instanceof Uint8Array)) throw new Error('the content of a file is a text or bytes');
  requireSize(content.length);
  return new Uint8Array(content);
}

/** A version has to differ whenever the content does. The text of an object would not. */
function versionOf(version: unknown): string | undefined {
  if (version === undefined || typeof version === 'string') return version;
  if (typeof version === 'number' || typeof version === 'bigint') return String(version);
  throw new Error('the version of a file is a text');
}

function requireSize(sizeBytes: number): void {
  if (sizeBytes > MAX_FILE_BYTES) throw new Error(`a file of a module has at most ${MAX_FILE_BYTES} bytes`);
}

function millisecondsOf(time: ModuleTime | undefined): number | undefined {
  const ms = time === undefined ? undefined : Number(time);
  return ms !== undefined && ms >= 0 && ms <= LATEST_MS ? ms : undefined;
}

/** The entries of a folder, each name once, sorted. */
function entriesOf(names: Iterable<ModuleName>, note: (message: string) => void): DirEntry[] {
  const entries = new Map<string, DirEntry>();
  let count = 0;
  for (const given of names) {
    count += 1;
    if (count > MAX_NAMES) throw new Error(`a folder of a module has at most ${MAX_NAMES} names`);
    const entry = entryOf(given);
    if (canBeName(entry.name)) entries.set(entry.name, entry);
    else note(`a name that no file can have is left out: ${JSON.stringify(entry.name).slice(0, 100)}`);
  }
  return [...entries.values()].sort((a, b) => (a.name < b.name ? -1 : Number(a.name > b.name)));
}

function entryOf(given: ModuleName): DirEntry {
  if (typeof given !== 'string') {
    const name = String(given.name);
    if (!KINDS.has(given.kind)) throw new Error(`${name} is a file, a directory or a link`);
    return { name, kind: given.kind };
  }
  return given.endsWith('/')
    ? { name: given.slice(0, -1), kind: 'directory' }
    : { name: given, kind: 'file' };
}

function canBeName(name: string): boolean {
  if (name === '' || name === '.' || name === '..' || name.includes('/') || name.includes('\0')) return false;
  return name.isWellFormed() && !name.includes('\uFFFD') && Buffer.byteLength(name) <= MAX_NAME_BYTES;
}

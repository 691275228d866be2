import type { FileKind } from '../core/resolver.ts';

/** `S_IFMT` bits of stat(2). */
export const TYPE_BITS: Readonly<Record<FileKind, number>> = {
  pipe: 0o010000,
  'character device': 0o020000,
  directory: 0o040000,
  'block device': 0o060000,
  file: 0o100000,
  link: 0o120000,
  socket: 0o140000,
};

const S_IFMT = 0o170000;

const KINDS: ReadonlyMap<number, FileKind> = new Map([
  [TYPE_BITS.pipe, 'pipe'],
  [TYPE_BITS['character device'], 'character device'],
  [TYPE_BITS.directory, 'directory'],
  [TYPE_BITS['block device'], 'block device'],
  [TYPE_BITS.file, 'file'],
  [TYPE_BITS.link, 'link'],
  [TYPE_BITS.socket, 'socket'],
]);

/** What the type bits of a mode say; undefined for none that stat(2) knows. */
export function kindOfMode(mode: number): FileKind | undefined {
  return KINDS.get(mode & S_IFMT);
}

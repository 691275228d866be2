import type { NewNode } from './memory-tree.ts';

/** When every file of the fixture was last changed: as seconds an exact binary fraction, so that no tool rounds it. */
export const MODIFIED_MS = 1_600_000_000_125;

export const BIG_BYTES = 1024 * 1024 + 1;
/** Longer than the buffers that tools try first. */
export const LONG_ATTRIBUTE: string = 'long '.repeat(100);
export const MANY_COUNT = 10_000;

/** Names that real trees hold, each a file whose content is its name. */
export const HOSTILE_NAMES: readonly string[] = [
  'with space',
  'it\'s "quoted"',
  'back\\slash',
  'new\nline',
  'escape\u001b[31m',
  'tab\tbed',
  '$(touch x); `id` & | > *',
  '-rf',
  '%2F',
  '...',
  '.hidden',
  '__proto__',
  'constructor',
  'emoji 🎉 and ünïcode',
  'combining e\u0301',
  'composed \u00e9',
  'مرحبا',
  'a'.repeat(255),
  'é'.repeat(127),
  '🎉'.repeat(63),
];

/** What every subject of the suite holds, by path. */
export function fixture(): Map<string, NewNode> {
  const nodes = new Map<string, NewNode>();
  const text = (path: string, content: string) =>
    nodes.set(path, { bytes: Buffer.from(content), modifiedMs: MODIFIED_MS });
  const link = (path: string, target: string) => nodes.set(path, { target, modifiedMs: MODIFIED_MS });
  text('/read/hello.txt', 'hello world\n');
  text('/read/empty', '');
  nodes.set('/read/big.bin', { bytes: bigContent(), modifiedMs: MODIFIED_MS });
  text('/read/nested/a/b/c.txt', 'deep\n');
  link('/read/link', 'hello.txt');
  link('/read/folder-link', 'nested/a');
  link('/read/up-link', '../names/with space');
  link('/read/broken', 'nowhere');
  link('/read/loop', 'pool');
  link('/read/pool', 'loop');
  for (const name of HOSTILE_NAMES) text(`/names/${name}`, name);
  for (let number = 0; number < MANY_COUNT; number += 1) text(`/many/${entryName(number)}`, `${number}`);
  for (const name of ['file', 'other', 'victim']) text(`/change/${name}`, 'content\n');
  text('/change/folder/inside', 'content\n');
  nodes.set('/change/empty', 'empty folder');
  return nodes;
}

export function entryName(number: number): string {
  return `entry-${String(number).padStart(5, '0')}`;
}

/** No two blocks alike, so that a misplaced one is seen. */
export function bigContent(): Buffer {
  const bytes = Buffer.alloc(BIG_BYTES);
  for (let position = 0; position + 4 <= BIG_BYTES; position += 4)
    bytes.writeUInt32LE((position * 2_654_435_761) % 2 ** 32, position);
  bytes[BIG_BYTES - 1] = 0x5a;
  return bytes;
}

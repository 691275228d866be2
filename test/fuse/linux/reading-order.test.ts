import t from 'tap';
import { fileInfo, folderInfo } from '../../../src/core/node-info.ts';
import type { DirEntry } from '../../../src/core/resolver.ts';
import { inodeOf } from '../../../src/fuse/linux/inode-number.ts';
import { NodeTable } from '../../../src/fuse/linux/node-table.ts';
import { readingOrder } from '../../../src/fuse/linux/reading-order.ts';

function files(count: number): DirEntry[] {
  return Array.from({ length: count }, (_, index) => ({ name: `file-${index}`, kind: 'file' }));
}

t.test('files are read as they are listed, and folders are not read', (t) => {
  const { root } = new NodeTable(folderInfo(0n));
  const entries: DirEntry[] = [
    ...files(3),
    { name: 'folder', kind: 'directory' },
    { name: 'z', kind: 'file' },
  ];
  t.strictSame(readingOrder(root, entries), ['file-0', 'file-1', 'file-2', 'z']);
  t.strictSame(readingOrder(root, []), []);
  t.equal(readingOrder(root, files(10_000))[9999], 'file-9999');
  t.end();
});

t.test('very many are read by their inode numbers', (t) => {
  const nodes = new NodeTable(folderInfo(0n));
  const own = nodes.enter(nodes.root, 'file-7', { ...fileInfo(1, 0n), inode: 1 });
  const order = readingOrder(nodes.root, files(10_001));
  const inodes = order.map((name) => (name === 'file-7' ? own.inode : inodeOf(nodes.root.inode, name, {})));
  t.equal(order[0], 'file-7');
  t.strictSame(
    inodes,
    inodes.toSorted((a, b) => a - b),
  );
  t.equal(new Set(order).size, 10_001);
  t.end();
});

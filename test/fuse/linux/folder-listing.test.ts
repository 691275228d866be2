import t from 'tap';
import { fileInfo, folderInfo } from '../../../src/core/node-info.ts';
import type { DirEntry } from '../../../src/core/resolver.ts';
import { FolderListing } from '../../../src/fuse/linux/folder-listing.ts';
import { inodeOf } from '../../../src/fuse/linux/inode-number.ts';
import { NodeTable } from '../../../src/fuse/linux/node-table.ts';

const { root } = new NodeTable(folderInfo(0n));

function files(count: number): DirEntry[] {
  return Array.from({ length: count }, (_, index) => ({ name: `file-${index}`, kind: 'file' }));
}

function orderOf(listing: FolderListing): string[] | undefined {
  const names = listing.readingOrder();
  if (names === undefined) return undefined;
  const found: string[] = [];
  for (let next = names.next(); next.done !== true; next = names.next()) found.push(next.value);
  return found;
}

t.test('files are read as they are listed, and folders are not read', (t) => {
  const entries: DirEntry[] = [
    ...files(3),
    { name: 'folder', kind: 'directory' },
    { name: 'z', kind: 'file' },
  ];
  t.strictSame(orderOf(new FolderListing(root, entries)), ['file-0', 'file-1', 'file-2', 'z']);
  const [none, most] = [files(0), files(10_000)];
  t.strictSame(orderOf(new FolderListing(root, none)), []);
  t.equal(orderOf(new FolderListing(root, most))?.[9999], 'file-9999');
  t.end();
});

t.test('very many are read by the numbers that the kernel was told, if more than one is read', (t) => {
  const nodes = new NodeTable(folderInfo(0n));
  const known = nodes.enter(nodes.root, 'file-7', { ...fileInfo(1, 0n), inode: 2 });
  const entries: DirEntry[] = [...files(10_001), { name: 'folder', kind: 'directory' }];
  const listing = new FolderListing(nodes.root, entries);
  listing.told(5000, 3);
  listing.told(9000, 1);
  t.equal(orderOf(listing), undefined);
  const order = orderOf(listing) ?? [];
  t.strictSame(order.slice(0, 3), ['file-9000', known.place?.name, 'file-5000']);
  const others = order.slice(3).map((name) => inodeOf(nodes.root.inode, name, {}));
  t.strictSame(
    others,
    others.toSorted((a, b) => a - b),
  );
  t.equal(new Set(order).size, 10_001);
  t.equal(orderOf(listing), undefined, 'who opens them in no order does not pay for it each time');
  t.end();
});

t.test('it is of a folder as it was listed once', (t) => {
  const entries = files(2);
  const listing = new FolderListing(root, entries);
  t.ok(listing.isOf(root, entries));
  t.notOk(listing.isOf(root, files(2)));
  t.notOk(listing.isOf(new NodeTable(folderInfo(0n)).root, entries));
  t.end();
});

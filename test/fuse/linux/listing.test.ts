import t from 'tap';
import { folderInfo } from '../../../src/core/node-info.ts';
import type { DirEntry } from '../../../src/core/resolver.ts';
import { isListedAlike, noteBeingListed, noteListed } from '../../../src/fuse/linux/listing.ts';
import { type Node, NodeTable } from '../../../src/fuse/linux/node-table.ts';

function newFolder(): Node {
  return new NodeTable(folderInfo(0n)).root;
}

function files(...names: string[]): DirEntry[] {
  return names.map((name) => ({ name, kind: 'file' }));
}

t.test('a listing is told from one with another name, order or kind', async (t) => {
  const folder = newFolder();
  noteListed(folder, files('ab', 'c'));
  t.equal(isListedAlike(folder, files('ab', 'c')), true);
  const folderOfC: DirEntry = { name: 'c', kind: 'directory' };
  for (const other of [
    files('bb', 'c'),
    files('aa', 'c'),
    files('a', 'bc'),
    files('c', 'ab'),
    files('ab'),
    files('ab', 'c', 'd'),
    [...files('ab'), folderOfC],
    [],
  ])
    t.equal(isListedAlike(folder, other), false, JSON.stringify(other));
});

t.test('a listing that changed while it was on its way is not trusted', async (t) => {
  const folder = newFolder();
  t.equal(isListedAlike(folder, files('a')), true, 'there is none');
  noteBeingListed(folder);
  t.equal(isListedAlike(folder, files('a')), false);
  noteListed(folder, files('a'));
  noteBeingListed(folder);
  t.equal(isListedAlike(folder, files('a')), true, 'it is listed once more');
  noteListed(folder, files('b'));
  t.equal(isListedAlike(folder, files('a')), false);
  t.equal(isListedAlike(folder, files('b')), false);
});

import t from 'tap';
import { folderInfo } from '../../../src/core/node-info.ts';
import type { DirEntry } from '../../../src/core/resolver.ts';
import { isWithin, Listings } from '../../../src/fuse/linux/listings.ts';
import { Node } from '../../../src/fuse/linux/node-table.ts';

let lastId = 0;

function folder(): Node {
  lastId += 1;
  return new Node(lastId, lastId, folderInfo(1n));
}

function files(...names: string[]): DirEntry[] {
  return names.map((name) => ({ name, kind: 'file' }));
}

t.test('an offset is of one listing of a folder alone', (t) => {
  const listings = new Listings();
  const node = folder();
  const one = listings.begin(node, files('a', 'b', 'c'));
  const other = listings.begin(node, files('b', 'c'));
  const offsets = Array.from({ length: 9 }, (_, index) => index + 1);
  const ofOne = offsets.filter((offset) => isWithin(one, offset));
  const ofOther = offsets.filter((offset) => isWithin(other, offset));
  t.same(ofOne, [1, 2, 3, 4, 5], 'behind ., .., and three names');
  t.same(ofOther, [6, 7, 8, 9]);
  t.same(
    offsets.map((offset) => listings.at(node, offset)),
    [one, one, one, one, one, other, other, other, other],
  );
  t.equal(listings.at(node, 10), undefined);
  t.equal(listings.at(folder(), 1), undefined);
  t.end();
});

t.test('a listing with the same names is the same', (t) => {
  const listings = new Listings();
  const node = folder();
  const one = listings.begin(node, files('a', 'b'));
  t.equal(listings.begin(node, files('a', 'b')), one);
  t.not(listings.begin(node, [...files('a'), { name: 'b', kind: 'directory' }]), one);
  t.end();
});

t.test('of folders that were not used for long, and of what a folder had long ago, nothing is kept', (t) => {
  const listings = new Listings(30);
  const [first, second, large] = [folder(), folder(), folder()];
  const before = listings.begin(first, files('a'));
  listings.begin(second, files('b'));
  listings.begin(first, files('a'));
  listings.begin(large, files(...'abcdef'));
  t.equal(listings.newest(first), before);
  t.equal(listings.newest(second), undefined);
  const tooLarge = listings.begin(large, files(...'abcdefghijklmnopqrstuvwxyzäöüß'));
  t.equal(listings.newest(large), tooLarge, 'what is used now stays, whatever its size');
  t.equal(listings.newest(first), undefined);
  t.ok(listings.begin(first, files('b')).base > before.base, 'and no offset is used again');
  const many = new Listings();
  for (let count = 0; count < 20; count += 1) many.begin(first, files(`${count}`));
  t.equal(many.at(first, 1), undefined);
  t.ok(many.at(first, 19 * 3 + 1));
  t.end();
});

import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers';
import t from 'tap';
import { folderInfo } from '../../../src/core/node-info.ts';
import type { DirEntry } from '../../../src/core/resolver.ts';
import {
  DOTS,
  entriesBefore,
  type Listing,
  Listings,
  offsetBehind,
} from '../../../src/fuse/linux/listings.ts';
import { Node } from '../../../src/fuse/linux/node-table.ts';

let lastId = 0;

function folder(): Node {
  lastId += 1;
  return new Node(lastId, lastId, folderInfo(1n));
}

function files(...names: string[]): DirEntry[] {
  return names.map((name) => ({ name, kind: 'file' }));
}

/** What who listed up to an offset is listed of another listing. */
function behind(listing: Listing, offset: number): string[] {
  return listing.entries.slice(entriesBefore(listing, offset)).map(({ name }) => name);
}

function offsetOf(listing: Listing, name: string): number {
  return offsetBehind(
    listing,
    listing.entries.findIndex((entry) => entry.name === name),
  );
}

/** Begins listings, with a number for each that no other names have. */
class Lister {
  readonly listings: Listings;

  constructor(maxNames?: number) {
    this.listings = new Listings(maxNames);
  }

  begin(node: Node, ...names: string[]): Listing {
    const digest = [...names.join('/')].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) | 0, 7);
    return this.listings.begin(node, files(...names), digest, this.listings.ask());
  }

  beginAndEnd(node: Node, ...names: string[]): Listing {
    const listing = this.begin(node, ...names);
    this.listings.ended(node);
    return listing;
  }
}

t.test('names have the offsets behind . and .., in their order', (t) => {
  const lister = new Lister();
  const listing = lister.begin(folder(), 'a', 'b', 'c');
  t.same(
    ['a', 'b', 'c'].map((name) => offsetOf(listing, name)),
    [DOTS + 1, DOTS + 2, DOTS + 3],
  );
  t.same(
    [0, 1, 2, 3, 4, 5, 6, 99].map((offset) => entriesBefore(listing, offset)),
    [0, 0, 0, 1, 2, 3, 3, 3],
  );
  t.equal(entriesBefore(lister.begin(folder()), 3), 0);
  t.end();
});

t.test('a name keeps its offset while the folder changes, and no other one gets it', (t) => {
  const lister = new Lister();
  const node = folder();
  const first = lister.begin(node, 'a', 'b', 'c', 'd');
  t.equal(lister.begin(node, 'a', 'b', 'c', 'd'), first, 'the same names are the same listing');
  const second = lister.begin(node, 'a', 'aa', 'c', 'e');
  t.same(
    ['a', 'c'].map((name) => offsetOf(second, name)),
    ['a', 'c'].map((name) => offsetOf(first, name)),
  );
  t.same(behind(second, offsetOf(first, 'b')), ['c', 'aa', 'e'], 'behind what is gone');
  const third = lister.begin(node, 'b', 'c');
  t.ok(offsetOf(third, 'b') > offsetOf(second, 'e'), 'what comes back is another');
  t.same(behind(third, offsetOf(second, 'e')), ['b']);
  t.equal(lister.listings.at(node), third);
  t.end();
});

t.test('a name is listed as what it is now', (t) => {
  const listings = new Listings();
  const node = folder();
  const before = listings.begin(node, files('a'), 1, listings.ask());
  const now = listings.begin(node, [{ name: 'a', kind: 'directory' }], 2, listings.ask());
  t.same(now.entries, [{ name: 'a', kind: 'directory' }]);
  t.equal(offsetOf(now, 'a'), offsetOf(before, 'a'));
  t.end();
});

t.test('who takes long finds each name that stays once, however often a folder changes', (t) => {
  const lister = new Lister();
  const node = folder();
  let names = Array.from({ length: 200 }, (_, index) => `file-${index}`);
  let offset = 0;
  const found: string[] = [];
  for (let round = 0; round < 100; round += 1) {
    const listing = lister.begin(node, ...names);
    const [next] = behind(listing, offset);
    if (next === undefined) break;
    found.push(next);
    offset = offsetOf(listing, next);
    names = names.filter((name) => name !== next && name !== `file-${199 - round}`).concat(`new-${round}`);
  }
  t.same(
    found.slice(0, 100),
    Array.from({ length: 100 }, (_, index) => `file-${index}`),
  );
  t.end();
});

t.test('of folders that were not used for long nothing is kept, and they are numbered as before', (t) => {
  const lister = new Lister(30);
  const { listings } = lister;
  const [first, second, large] = [folder(), folder(), folder()];
  const before = lister.beginAndEnd(first, 'a', 'b');
  lister.beginAndEnd(second, 'c');
  listings.at(first);
  listings.ended(first);
  lister.beginAndEnd(large, ...'abcdef');
  t.equal(listings.at(first), before, 'it was used meanwhile');
  listings.ended(first);
  t.equal(listings.at(second), undefined);
  const tooLarge = lister.beginAndEnd(large, ...'abcdefghijklmnopqrstuvwxyzäöüß');
  t.equal(listings.at(large), tooLarge, 'what is used now stays, whatever its size');
  t.equal(listings.at(first), undefined);
  t.strictSame(lister.begin(first, 'a', 'b'), before, 'the same names');
  t.end();
});

t.test('who asked earlier and is answered later gets what is newer', (t) => {
  const listings = new Listings();
  const node = folder();
  listings.begin(node, files('a', 'b'), 1, listings.ask());
  const [earlier, later] = [listings.ask(), listings.ask()];
  const now = listings.begin(node, files('a', 'b', 'new'), 2, later);
  t.equal(listings.begin(node, files('a', 'b'), 1, earlier), now);
  t.equal(listings.at(node), now);
  t.same(
    listings.begin(node, files('a'), 3, listings.ask()).entries.map(({ name }) => name),
    ['a'],
  );
  t.end();
});

t.test('who begins again is in the middle, though others were at the end, and so is who goes on', (t) => {
  for (const goOn of ['begin', 'at'] as const) {
    const lister = new Lister(20);
    const { listings } = lister;
    const [node, large] = [folder(), folder()];
    lister.begin(node, 'a', 'b', 'c');
    const before = lister.beginAndEnd(node, 'a', 'c', 'd');
    if (goOn === 'begin') lister.begin(node, 'a', 'c', 'd');
    else listings.at(node);
    lister.begin(large, ...'abcdefghijklmnopqrstuvwxyz');
    t.equal(listings.at(node), before, goOn);
    listings.loseInterest();
    lister.begin(large, ...'abcdefghijklmnopqrstuvwxyzäöü');
    t.equal(listings.at(node), undefined, 'until nobody was listed anything for long');
  }
  t.end();
});

t.test('what somebody is in the middle of is kept, until it is very much', (t) => {
  const lister = new Lister(30);
  const { listings } = lister;
  const folders = Array.from({ length: 12 }, folder);
  const names = [...'abcdefghijklmnopqrstuv'];
  const [first = folder(), second = folder(), ...others] = folders;
  const begun = [lister.begin(first, ...names), lister.begin(second, ...names)];
  t.same([listings.at(first), listings.at(second)], begun);
  listings.ended(first);
  const [third = folder(), ...rest] = others;
  lister.begin(third, ...names);
  t.same([listings.at(first), listings.at(second)], [undefined, begun[1]]);
  for (const other of rest) lister.begin(other, ...names);
  t.equal(listings.at(third), undefined, 'ten times as many');
  for (const other of [second, ...rest]) t.ok(listings.at(other));
  listings.ended(third);
  listings.ended(second);
  listings.ended(rest[0] ?? second);
  t.equal(listings.at(second), undefined, 'and no longer once its end was listed');
  t.end();
});

t.test('at rest only what somebody is in the middle of is kept', (t) => {
  const lister = new Lister();
  const { listings } = lister;
  const [ended, begun, again, left] = [folder(), folder(), folder(), folder()];
  const before = lister.beginAndEnd(ended, 'a', 'b');
  const kept = [lister.begin(begun, 'a'), lister.beginAndEnd(again, 'a'), lister.begin(left, 'a')];
  listings.loseInterest();
  listings.at(again);
  listings.rest();
  t.equal(listings.at(ended), undefined);
  t.same(
    [begun, again, left].map((node) => listings.at(node)),
    kept,
  );
  t.strictSame(lister.begin(ended, 'a', 'b'), before, 'the same names are numbered as before');
  t.end();
});

t.test('of a folder that is not kept and has changed, all is listed again', (t) => {
  const lister = new Lister(30);
  const [node, large] = [folder(), folder()];
  const makeRoom = () => {
    lister.listings.ended(node);
    lister.begin(large);
    lister.begin(large, ...'abcdefghijklmnopqrstuvwxyz');
  };
  const offset = offsetOf(lister.begin(node, 'a', 'b'), 'b');
  makeRoom();
  const changed = lister.begin(node, 'b', 'c');
  t.same(behind(changed, offset), ['b', 'c']);
  const again = lister.begin(node, 'a', 'c');
  makeRoom();
  const anew = lister.begin(node, 'a', 'c');
  t.same(behind(anew, offsetOf(again, 'a')), ['a', 'c'], 'also with gaps between names');
  t.ok(offsetOf(anew, 'a') > offsetOf(again, 'c'), 'with offsets that stood for no name yet');
  t.end();
});

t.test('each listing puts off the times after which nothing is kept, which end with that', (t) => {
  const said: string[] = [];
  const due: (() => void)[] = [];
  const before = { setTimeout: timers.setTimeout, clearTimeout: timers.clearTimeout };
  t.teardown(() => {
    Object.assign(timers, before);
    syncBuiltinESMExports();
  });
  Object.assign(timers, {
    setTimeout(action: () => void, afterMs: number) {
      said.push(`begin ${afterMs}`);
      due.push(action);
      const timer = { afterMs, unref: () => timer, refresh: () => said.push(`put off ${afterMs}`) };
      return timer;
    },
    clearTimeout: ({ afterMs }: { afterMs: number }) => said.push(`end ${afterMs}`),
  });
  syncBuiltinESMExports();
  const listings = new Listings();
  const node = folder();
  const list = (): void => {
    listings.begin(node, files('a'), 1, listings.ask());
  };
  list();
  t.same(said.splice(0), ['begin 60000', 'put off 60000', 'begin 10000', 'put off 10000']);
  list();
  t.same(said.splice(0), ['put off 60000', 'put off 10000']);
  for (const action of due.splice(0)) action();
  t.same(said.splice(0), ['end 60000', 'end 10000']);
  list();
  t.same(said, ['begin 60000', 'put off 60000', 'begin 10000', 'put off 10000']);
  t.end();
});

import fc from 'fast-check';
import t from 'tap';
import { inodeOf, ROOT_INODE } from '../../../src/fuse/linux/inode-number.ts';

t.test('a path has the same number in every mount, now and later', (t) => {
  const docs = inodeOf(ROOT_INODE, 'docs', {});
  t.equal(docs, 2479192605063991);
  t.equal(inodeOf(docs, 'überblick.md', {}), 2690852522853743);
  t.end();
});

t.test('a number of its own is taken as it is', (t) => {
  t.equal(inodeOf(ROOT_INODE, 'docs', { inode: 77 }), 77);
  t.end();
});

t.test('numbers of paths are exact in a double, and never those that resolvers give out', (t) => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2 ** 52 }), fc.string({ unit: 'binary' }), (folder, name) => {
      const inode = inodeOf(folder, name, {});
      return Number.isSafeInteger(inode) && inode >= 2 ** 51;
    }),
  );
  t.end();
});

t.test('a million paths that look alike have a million numbers', (t) => {
  const numbers = new Set<number>();
  for (let folder = 0; folder < 1000; folder += 1) {
    const inode = inodeOf(ROOT_INODE, `folder-${folder}`, {});
    for (let file = 0; file < 1000; file += 1) numbers.add(inodeOf(inode, `file-${file}.md`, {}));
  }
  t.equal(numbers.size, 1_000_000);
  t.end();
});

t.test('numbers spread evenly over their range', (t) => {
  const counts = new Array<number>(64).fill(0);
  for (let file = 0; file < 64_000; file += 1) {
    const at = Math.floor((inodeOf(ROOT_INODE, `${file}`, {}) - 2 ** 51) / 2 ** 44);
    counts[at] = (counts[at] ?? 0) + 1;
  }
  t.equal(counts.length, 64, 'none is beyond the range');
  t.ok(Math.min(...counts) > 850 && Math.max(...counts) < 1150, `${counts}`);
  t.end();
});

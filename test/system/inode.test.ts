import t from 'tap';
import { exactInode, inodeOfWords } from '../../src/system/inode.ts';

t.test('an inode number is equal to itself alone, and is found again, up to 64 bits', async (t) => {
  const words: [low: number, high: number][] = [
    [1, 0],
    [0xffff_ffff, 0xffff],
    [0, 0x1_0000],
    [1, 0x1_0000],
    [0, 0x20_0000],
    [1, 0x20_0000],
    [2, 0x20_0000],
    [0xffff_fffe, 0xffff_ffff],
    [0xffff_ffff, 0xffff_ffff],
  ];
  const numbers = words.map(([low, high]) => inodeOfWords(low, high));
  t.equal(new Set(numbers).size, words.length);
  t.ok(numbers.every((number) => Number.isSafeInteger(number) && number < 2 ** 48));
  t.same(
    words.map(([low, high]) => inodeOfWords(low, high)),
    numbers,
    'the same at each look',
  );
  t.same(
    numbers.map(exactInode),
    words.map(([low, high]) => (BigInt(high) << 32n) | BigInt(low)),
  );
});

t.test('a million files of a disk with large numbers take no memory', async (t) => {
  inodeOfWords(0, 0x8000_0001);
  const before = process.memoryUsage().heapUsed;
  for (let low = 0; low < 1_000_000; low += 1) inodeOfWords(low, 0x8000_0001);
  t.ok(process.memoryUsage().heapUsed - before < 20e6);
});

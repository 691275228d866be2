import { Worker } from 'node:worker_threads';
import t from 'tap';
import { exactInode, inodeOfWords, lastingInode } from '../../src/system/inode.ts';

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

t.test('a disk that draws its numbers by lot has them in bounded memory, each file its own', async (t) => {
  const COUNT = 2_500_000;
  const before = process.memoryUsage().heapUsed;
  const seen = new Float64Array(COUNT);
  const highAt = (index: number) => (0x4000_0000 + Math.imul(index, 0x9e37_79b1)) >>> 0 || 1;
  for (let index = 0; index < COUNT; index += 1) seen[index] = inodeOfWords(index % 1000, highAt(index));
  t.ok(process.memoryUsage().heapUsed - before < 60e6);
  t.ok(seen.every((number) => Number.isSafeInteger(number) && number < 2 ** 48));
  const last = COUNT - 1;
  t.equal(inodeOfWords(last % 1000, highAt(last)), seen[last], 'the same at each look');
  t.equal(exactInode(seen[last] ?? 0), lastingInode(seen[last] ?? 0), 'a hash stands for it');
  seen.sort();
  t.notOk(seen.some((number, index) => index > 0 && number === seen[index - 1]));
});

t.test('what stamps have of a number is the same in a thread that knows other numbers', async (t) => {
  const [low, high] = [7, 0xabcd_ef01];
  const module = new URL('../../src/system/inode.js', import.meta.url).href;
  const worker = new Worker(
    `import('${module}').then(({ inodeOfWords, lastingInode }) =>
      require('node:worker_threads').parentPort.postMessage(lastingInode(inodeOfWords(${low}, ${high}))));`,
    { eval: true },
  );
  const there = await new Promise((resolve) => worker.once('message', resolve));
  t.equal(lastingInode(inodeOfWords(low, high)), there);
  t.equal(lastingInode(12), 12n);
  t.equal(lastingInode(inodeOfWords(3, 9)), 3n + (9n << 32n));
});

import { closeSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import t from 'tap';
import { linesOf } from '../../src/exchange/lines.ts';
import { temporaryFolder } from '../support/temporary.ts';

const folder = temporaryFolder(t);
const file = join(folder, 'lines');

function read(content: string | Uint8Array, maxBytes = 1000) {
  writeFileSync(file, content);
  const descriptor = openSync(file, 'r');
  try {
    return [...linesOf(descriptor, maxBytes)];
  } finally {
    closeSync(descriptor);
  }
}

t.test('lines come with their numbers, blank ones are left out', async (t) => {
  t.same(read('{"a":1}\n\n  \r\n{"b":2}\r\nlast'), [
    { number: 1, text: '{"a":1}' },
    { number: 4, text: '{"b":2}' },
    { number: 5, text: 'last' },
  ]);
  t.same(read(''), []);
  t.same(read('\uFEFFfirst\n'), [{ number: 1, text: 'first' }]);
});

t.test('a line that is too long or no UTF-8 has no text, and those after it do', async (t) => {
  t.same(read('12345\n123456\n1\n', 5), [
    { number: 1, text: '12345' },
    { number: 2, text: undefined },
    { number: 3, text: '1' },
  ]);
  t.same(read(Buffer.from('a\xff\nb', 'latin1')), [
    { number: 1, text: undefined },
    { number: 2, text: 'b' },
  ]);
});

t.test('a line is whole however the file is read in parts, and the file can be read again', async (t) => {
  const long = 'x'.repeat((1 << 20) - 3);
  const umlauts = 'ü'.repeat(700_000);
  t.same(
    read(`${long}\nab\n${umlauts}\n`, 1 << 24).map(({ text }) => text?.length),
    [long.length, 2, umlauts.length],
  );
  const descriptor = openSync(file, 'r');
  t.teardown(() => closeSync(descriptor));
  t.same([...linesOf(descriptor, 1 << 24)], [...linesOf(descriptor, 1 << 24)]);
});

t.test('lines are those of split, for any text', async (t) => {
  const texts = fc.array(fc.string({ unit: 'grapheme' }).map((text) => text.replace(/[\r\n]/g, ' ')));
  fc.assert(
    fc.property(texts, (lines) => {
      const expected = lines.map((line) => line.trim()).filter((line) => line !== '');
      const found = read(lines.join('\n')).map(({ text }) => text);
      return isDeepStrictEqual(found, expected);
    }),
    { numRuns: 200 },
  );
  t.pass();
});

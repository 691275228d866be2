import t from 'tap';
import { cut, MAX_LENGTH, type Piece, packed } from '../../src/words/pieces.ts';

/** A line of so many characters, with its line feed. */
function line(length: number): string {
  return `${'x'.repeat(length - 1)}\n`;
}

/** First line, last line, length, and how it begins. */
function places(pieces: readonly Piece[]): [number, number, number, string][] {
  return pieces.map(({ line, endLine, text }) => [line, endLine, text.length, text.slice(0, 3)]);
}

t.test('a long text is cut behind a line, and the next piece begins with the last one', async (t) => {
  t.same(places(cut({ text: line(100).repeat(30), line: 11, endLine: 40 })), [
    [11, 20, 1000, 'xxx'],
    [20, 29, 1000, 'xxx'],
    [29, 40, 1200, 'xxx'],
  ]);
});

t.test('it is cut behind an empty line before any other, if that is in the second half', async (t) => {
  const text = (before: number) =>
    `${'a'.repeat(before)}\n\n${'b'.repeat(200)}\n${'c'.repeat(1200 - before)}`;
  t.same(places(cut({ text: text(700), line: 1, endLine: 4 }))[0], [1, 1, 702, 'aaa']);
  t.same(places(cut({ text: text(509), line: 1, endLine: 4 }))[0], [1, 3, 712, 'aaa']);
});

t.test('where there is no line it is cut behind a sentence, else a word, else anywhere', async (t) => {
  const whole = (text: string) => places(cut({ text, line: 1, endLine: 1 }));
  t.same(whole('abcdefghi. '.repeat(200)), [
    [1, 1, 1023, 'abc'],
    [1, 1, 1287, 'abc'],
  ]);
  t.same(whole('a '.repeat(1000)), [
    [1, 1, 1024, 'a a'],
    [1, 1, 1094, 'a a'],
  ]);
  t.same(whole('a'.repeat(3000)), [
    [1, 1, 1024, 'aaa'],
    [1, 1, 1024, 'aaa'],
    [1, 1, 952, 'aaa'],
  ]);
});

t.test('white space is no piece, however much of it there is', async (t) => {
  t.same(cut({ text: ' \n', line: 1, endLine: 2 }), []);
  t.same(cut({ text: ' \n'.repeat(MAX_LENGTH), line: 1, endLine: MAX_LENGTH + 1 }), []);
});

t.test('blocks stay together up to what a piece may have', async (t) => {
  const [half, more] = [MAX_LENGTH / 2, MAX_LENGTH / 2 + 1];
  t.same(places(packed(`${'a'.repeat(half)}\n\n${'b'.repeat(half)}`)), [[1, 3, MAX_LENGTH + 1, 'aaa']]);
  t.same(places(packed(`${'a'.repeat(half)}\n\n${'b'.repeat(more)}`)), [
    [1, 1, half, 'aaa'],
    [3, 3, more, 'bbb'],
  ]);
});

t.test('a block begins at the margin behind an empty line, and nowhere else', async (t) => {
  const long = 'y'.repeat(800);
  t.same(places(packed(`\n${long}\n  ${long}\n`)).at(-1)?.[1], 3, 'the same block, though it is too long');
  t.same(places(packed(`${line(800)}${line(800)}`)), [
    [1, 1, 800, 'xxx'],
    [2, 2, 799, 'xxx'],
  ]);
  t.same(places(packed(`${line(800)}${line(500)}\n${line(600)}`)), [
    [1, 2, 1299, 'xxx'],
    [4, 4, 599, 'xxx'],
  ]);
  t.same(places(packed(`${line(700)}\n  ${line(600)}\n${line(600)}`)), [
    [1, 3, 1302, 'xxx'],
    [5, 5, 599, 'xxx'],
  ]);
});

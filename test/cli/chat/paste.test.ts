import fc from 'fast-check';
import t from 'tap';
import { TypedText } from '../../../src/cli/chat/paste.ts';

const pasted = (text: string): string => `\u001b[200~${text}\u001b[201~`;

/** What an editor is given line by line. */
function linesOf(...parts: readonly string[]): string[] {
  const typed = new TypedText();
  const lines: string[] = [];
  for (const part of parts) {
    typed.add(part);
    for (let keys = typed.take(); keys !== ''; keys = typed.take()) lines.push(keys);
  }
  return lines;
}

t.test(
  'what is typed comes line by line, what is pasted as one line with marks where lines ended',
  async (t) => {
    t.same(linesOf('one\rtwo\rthr'), ['one\r', 'two\r', 'thr']);
    t.same(linesOf('one\r\ntwo\n'), ['one\r', 'two\n']);
    t.same(linesOf(pasted('a\r\nb\nc\rd'), '\r'), ['a⏎b⏎c⏎d', '\r']);
    t.same(linesOf(`see ${pasted('x\ny')} and\rz\r`), ['see x⏎y and\r', 'z\r']);
  },
);

t.test('what is pasted presses no keys', async (t) => {
  t.same(linesOf(pasted('a\u0003b\u0004\tc\u001b[A')), ['ab    c[A']);
});

t.test('however what a terminal sends is cut, the lines are the same', async (t) => {
  const text = fc.array(fc.constantFrom('a', '\r', '\u001b[A', 'é', pasted('x\ny'), '\u001b[200', '~'), {
    maxLength: 12,
  });
  fc.assert(
    fc.property(text, fc.array(fc.nat(40), { maxLength: 6 }), (pieces, cuts) => {
      const whole = `${pieces.join('')}\r`;
      const places = [0, ...cuts.filter((cut) => cut < whole.length).sort((a, b) => a - b), whole.length];
      const parts = places.slice(1).map((end, index) => whole.slice(places[index], end));
      t.equal(linesOf(...parts).join(''), linesOf(whole).join(''));
    }),
    { numRuns: 200 },
  );
});

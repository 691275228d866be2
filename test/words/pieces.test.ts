import fc from 'fast-check';
import t from 'tap';
import { cut, MAX_LENGTH, packed } from '../../src/words/pieces.ts';

t.test('code is cut where a block begins at the margin', async (t) => {
  const body = Array.from({ length: 30 }, (_, line) => `  step(${line}, "with some words");`).join('\n');
  const text = ['a', 'b', 'c'].map((name) => `function ${name}() {\n${body}\n\n  end();\n}\n`).join('\n');
  t.match(packed(text), [
    { line: 1, endLine: 34, text: /^function a/ },
    { line: 36, endLine: 69, text: /^function b/ },
    { line: 71, endLine: 104, text: /^function c/ },
  ]);
});

t.test('short blocks stay together, and nothing is no piece', async (t) => {
  t.same(packed('one\n\ntwo\n\n\nthree\n'), [{ text: 'one\ntwo\nthree', line: 1, endLine: 6 }]);
  t.same(packed(''), []);
  t.same(packed(' \n\n\t\n'), []);
});

t.test('a long line is cut at sentences, each piece with the end of the one before', async (t) => {
  const text = Array.from({ length: 100 }, (_, number) => `Sentence number ${number} says little.`).join(' ');
  const pieces = packed(text);
  t.ok(pieces.length > 2);
  pieces.slice(1).forEach((piece, index) => {
    const opening = piece.text.slice(0, 30);
    t.ok(pieces[index]?.text.includes(opening), opening);
    t.match(opening, /^Sentence number/);
  });
});

t.test('whatever the text: no piece is too long, each stands in its lines, and no word is lost', async () => {
  const line = fc.oneof(
    fc.constant(''),
    fc.constant('  indented words'),
    fc.constant('words at the margin. And more.'),
    fc.string({ maxLength: 40 }).map((text) => text.replaceAll('\n', ' ')),
    fc.integer({ min: 1, max: 400 }).map((count) => 'word '.repeat(count)),
    fc.integer({ min: 1, max: 4000 }).map((count) => 'x'.repeat(count)),
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 60 }), (lines) => {
      const text = lines.join('\n');
      const pieces = packed(text);
      const marked = new Set<number>();
      for (const piece of pieces) {
        if (piece.text.length > MAX_LENGTH + 1 || piece.endLine < piece.line) return false;
        const stands = lines.slice(piece.line - 1, piece.endLine).join('\n');
        if (!piece.text.split('\n').every((part) => stands.includes(part.trim()))) return false;
        for (let at = piece.line; at <= piece.endLine; at += 1) marked.add(at);
      }
      return lines.every((said, index) => said.trim() === '' || marked.has(index + 1));
    }),
    { numRuns: 200 },
  );
});

t.test('what is short enough is left as it is', async (t) => {
  const piece = { text: 'x'.repeat(MAX_LENGTH), line: 3, endLine: 3 };
  t.same(cut(piece), [piece]);
});

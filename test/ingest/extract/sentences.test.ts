import t from 'tap';
import { splitSentences } from '../../../src/ingest/extract/sentences.ts';
import { parseMarkdown } from '../../../src/ingest/markdown/parse.ts';
import { lineAt, plainText, type RichText, textOf } from '../../../src/ingest/markdown/rich-text.ts';

function rich(text: string): RichText {
  const block = parseMarkdown('a.md', text).sections[0]?.blocks[0];
  return block?.kind === 'paragraph' ? block.text : plainText('', 1);
}

function sentences(text: string): string[] {
  return splitSentences(rich(text)).map((sentence) => sentence.text.trim());
}

t.test('a sentence ends at a full stop, a question, a semicolon and a hard break', async (t) => {
  t.same(sentences('One. Two! Three? four; five\\\nsix'), ['One.', 'Two!', 'Three?', 'four;', 'five', 'six']);
  t.same(sentences('He said "no." Then (yes.) Done'), ['He said "no."', 'Then (yes.)', 'Done']);
});

t.test('abbreviations, numbers and names with stops end none', async (t) => {
  t.same(sentences('Use e.g. a Charge, i.e. money, v1.2 of app.js etc. and so on.'), [
    'Use e.g. a Charge, i.e. money, v1.2 of app.js etc. and so on.',
  ]);
  t.same(sentences('It fires `a.b`. `c.d` follows.'), ['It fires a.b.', 'c.d follows.']);
  t.same(
    sentences('See [this. And that](x.md) now.'),
    ['See this. And that now.'],
    'nor does a stop within a link',
  );
});

t.test('each sentence has its marks, words and lines', async (t) => {
  const [first, second] = splitSentences(rich("One **two**.\nThree\n[four five](x.md) `six` Anna's."));
  t.same(
    first?.marks.map((mark) => textOf(first, mark)),
    ['two'],
  );
  t.same(
    second?.marks.map((mark) => textOf(second, mark)),
    ['four five', 'six'],
  );
  t.same(
    second?.words.map(({ text, linked, capital }) => `${text}${linked ? '@' : ''}${capital ? '^' : ''}`),
    ['three^', 'four@', 'five@', 'anna^'],
  );
  for (const word of second?.words ?? []) {
    t.equal(second?.text.slice(word.start, word.end).toLowerCase(), word.text);
  }
  t.equal(second === undefined ? 0 : lineAt(second, second.text.indexOf('four')), 3);
});

t.test('words keep hyphens and apostrophes within, in any script', async (t) => {
  const [sentence] = splitSentences(plainText("Don't re-use Müller’s to-do — naïve Ωmega→x 注文。", 1));
  t.same(
    sentence?.words.map(({ text }) => text),
    ["don't", 're-use', 'müller', 'to-do', 'naïve', 'ωmega', 'x', '注文'],
  );
});

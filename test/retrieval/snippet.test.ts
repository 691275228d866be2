import fc from 'fast-check';
import t from 'tap';
import { isMarkup, plainText } from '../../src/retrieval/plain-text.ts';
import { snippetOf } from '../../src/retrieval/snippet.ts';
import { stemOf } from '../../src/words/tokens.ts';

const weights = (...words: string[]) => ({ weights: new Map(words.map((word) => [stemOf(word), 1])) });

t.test('markup is not shown', async (t) => {
  t.equal(plainText('## A **bold** [link](a.md "title") and `code`'), 'A bold link and code');
  t.equal(plainText('- [x] see [[Page|the page]] and ![alt](x.png)'), 'see the page and alt');
  t.equal(plainText('| a | `b` |'), 'a | b');
  t.equal(plainText('> <b>said</b> 2\\*3 snake_case_name'), 'said 2*3 snake_case_name');
  for (const line of ['```js', '---', '| --- | :-: |', '===', '<div>', '<!-- x -->', '  '])
    t.ok(isMarkup(line), line);
  for (const line of ['text', '- item', 'a | b']) t.notOk(isMarkup(line), line);
});

t.test('the lines that say what is asked are shown, behind the headings', async (t) => {
  const text = [
    '# Cards',
    '',
    ...Array.from({ length: 20 }, (_, at) => `Line ${at} says nothing of note here.`),
    'A refund takes five days.',
    'And more.',
  ].join('\n');
  t.same(snippetOf(text, ['Cards', 'Refunds'], weights('refund', 'days')), {
    text: 'Cards › Refunds: A refund takes five days. And more.',
    line: 22,
  });
});

t.test('items of a list and rows of a table are told apart', async (t) => {
  const shown = (text: string) => snippetOf(text, [], weights('card')).text;
  t.equal(
    shown(
      'A card has:\n\n- a number,\n  of 16 digits\n- a name\n  1. first\n  2. last\n\nIt is one card.\nOf one person.',
    ),
    'A card has: · a number, of 16 digits · a name · first · last · It is one card. Of one person.',
  );
  t.equal(
    shown('| Card | Digits |\n| --- | --- |\n| Visa | 16 |\n| Amex | 15 |\n\nMore cards are read.'),
    'Card | Digits · Visa | 16 · Amex | 15 · More cards are read.',
  );
  t.equal(shown('- The card\n\n  is read twice.\n- Then not.'), 'The card is read twice. · Then not.');
  t.equal(shown('> * a card\n> * two'), 'a card · two');
  t.equal(shown('One card.\n\nAnother one - or two\n'), 'One card. Another one - or two');
  t.equal(shown('```yaml\n- card: 1\n- card: 2\n```'), '- card: 1 - card: 2', 'code is no list');
});

t.test('a snippet is from the line in which it begins, however that is written', async (t) => {
  const from = (text: string, ...words: string[]) => snippetOf(text, ['Charge'], weights(...words)).line;
  const charge = '# Charge\n\nCharges are\nmade of **invoices**, one each, and are paid at once.';
  t.equal(from(charge, 'charge'), 2);
  t.equal(from(charge, 'invoice'), 3);
  t.equal(from('# Charge\n\n```yaml\n- name: <test>\n  two\n```', 'two', 'test'), 3);
  t.equal(from(`# Charge\n\n${'nothing '.repeat(100)}the refund\n`, 'refund'), 2);
});

t.test('of a long line the part that says it is shown', async (t) => {
  const line = `${'nothing '.repeat(100)}the refund takes days ${'nothing '.repeat(100)}`;
  const { text: snippet } = snippetOf(line, [], weights('refund'));
  t.match(snippet, /^….*the refund takes days.*…$/);
  t.ok(snippet.length <= 300);
});

t.test('a long line is cut between words, and long headings are said by the last one', async (t) => {
  const line = 'The refund takes some days. '.repeat(100);
  const shown = (...headings: string[]) => snippetOf(line, headings, weights('refund')).text;
  t.match(shown('x'.repeat(110), 'Refunds'), /^Refunds: …?\w.* (?:The|refund|takes|some|days\.)…$/);
  for (const headings of [['Cards', 'y'.repeat(80)], ['z'.repeat(200)]])
    t.ok(shown(...headings).length <= 300, `${shown(...headings).length}`);
  t.ok(snippetOf('😀'.repeat(400), [], weights('refund')).text.isWellFormed());
});

t.test('a passage that is a heading alone shows that', async (t) => {
  t.same(snippetOf('## Refunds', ['Cards', 'Refunds'], weights('refund')), {
    text: 'Cards › Refunds',
    line: 0,
  });
});

t.test('who speaks is named once', async (t) => {
  t.equal(snippetOf('Ann: It rained.', ['Ann'], weights('rain')).text, 'Ann: It rained.');
});

t.test('no text makes it longer than 300 characters, or of several lines', async () => {
  fc.assert(
    fc.property(
      fc.string({ maxLength: 2000, unit: 'grapheme' }),
      fc.array(fc.string({ maxLength: 200 }), { maxLength: 3 }),
      (text, headings) => {
        const { text: snippet, line } = snippetOf(
          text,
          headings.filter((heading) => !/\s*[\r\n]/.test(heading)),
          weights('a', 'b'),
        );
        const isOfText = line >= 0 && line < text.split('\n').length;
        return isOfText && snippet.length <= 300 && !snippet.includes('\n') && snippet.isWellFormed();
      },
    ),
  );
});

t.test(
  'of whole sentences what begins and ends within a line is shown from its beginning to its end',
  async (t) => {
    const shown = (text: string, ...words: string[]) =>
      snippetOf(text, ['Keys'], { ...weights(...words), isOfSentences: true });
    const filler = Array.from({ length: 12 }, () => 'Nothing of note stands in this line.');
    const wrapped = [...filler, 'It is so. A key that was', 'lost is revoked within', 'two days. More'].join(
      '\n',
    );
    t.same(shown(wrapped, 'revoked'), {
      text: 'Keys: A key that was lost is revoked within two days. More',
      line: 12,
    });
    t.equal(snippetOf(wrapped, [], weights('revoked')).text, 'lost is revoked within two days. More');
    const behind = `One.\n\nRevoked ${'again and '.repeat(28)}so\non, until it\nends. Then not.\n${filler.join('\n')}`;
    t.match(shown(behind, 'revoked').text, /^Keys: Revoked again .* so on, until it ends\.$/);
    const long = `${'Nothing is here. '.repeat(30)}A lost key ${'which was e.g. old '.repeat(17)}is gone. ${'Nothing is here. '.repeat(30)}`;
    t.match(shown(long, 'lost', 'key').text, /A lost key which .* old is gone\.$/);
    t.match(shown(long, 'lost', 'key').text, /^Keys: Nothing is here\. /);
  },
);

t.test('what is no prose is no part of a sentence', async (t) => {
  const shown = (text: string, ...words: string[]) =>
    snippetOf(text, [], { ...weights(...words), isOfSentences: true }).text;
  const filler = `\n\n${'Nothing of note stands in this line, in none.\n'.repeat(9)}`;
  t.match(shown(`A key\n\nis revoked${filler}`, 'revoked'), /^is revoked Nothing/, 'another paragraph');
  t.match(shown(`- a key\n- is revoked${filler}`, 'revoked'), /^is revoked/, 'another item');
  t.match(shown(`# A key\nis revoked${filler}`, 'revoked'), /^is revoked/, 'a heading');
  t.match(shown(`~~~\na key\n~~~\nis revoked${filler}`, 'revoked'), /^is revoked/, 'code');
  t.match(shown(`~~~\na key\nis revoked\n~~~${filler}`, 'revoked'), /^is revoked/, 'within code');
  const endless = `${'no end, '.repeat(30)}\nis revoked${filler}`;
  t.match(shown(endless, 'revoked'), /^is revoked/, 'a sentence for which there is no room');
});

t.test('no text makes a snippet of whole sentences longer than its room and that of two rests', async () => {
  const text = fc.array(fc.constantFrom('a', 'b. ', 'Word ', '\n', '- ', '…', '😀'), { maxLength: 2000 });
  fc.assert(
    fc.property(text, fc.array(fc.string({ maxLength: 200 }), { maxLength: 3 }), (parts, headings) => {
      const options = { ...weights('a', 'b'), isOfSentences: true };
      const single = headings.filter((heading) => !/\s*[\r\n]/.test(heading));
      const { text: snippet, line } = snippetOf(parts.join(''), single, options);
      const isOfText = line >= 0 && line < parts.join('').split('\n').length;
      return isOfText && snippet.length <= 820 && !snippet.includes('\n') && snippet.isWellFormed();
    }),
  );
});

import t from 'tap';
import { statementsOf } from '../../src/context/claims/markdown-statements.ts';
import { bestSentences } from '../../src/context/extract.ts';
import { questionTerms, sentencesOf } from '../../src/context/sentences.ts';

t.test('sentences are those of paragraphs, items and rows, as plain text with their lines', (t) => {
  const text = [
    '---',
    'title: A page that says much',
    '---',
    '# A heading is no sentence',
    '',
    'The first sentence **says** something. The second has [a link](x.md)',
    'and goes on.',
    '',
    '- an item of a list',
    '- [ ] a task of a list',
    '',
    '| Status code | What it means |',
    '|---|---|',
    '| 429 | too many requests |',
    '',
    '```sh',
    'this is code and no sentence',
    '```',
    '> A quotation is one too.',
  ].join('\n');
  t.same(
    sentencesOf(text).map(({ text, line }) => [line, text]),
    [
      [6, 'The first sentence says something.'],
      [6, 'The second has a link and goes on.'],
      [9, 'an item of a list'],
      [10, 'a task of a list'],
      [12, 'Status code | What it means'],
      [14, '429 | too many requests'],
      [19, 'A quotation is one too.'],
    ],
  );
  t.end();
});

t.test('images, targets of links, code and marks of notes end no sentence and are none', (t) => {
  const text = [
    '> [!TIP]',
    '> Read [the basics](../guide/basics.md#what-is-this?) first. It is [short](<a page.md>).',
    '',
    '> [!note]- What to look at',
    '> Keep the key in a safe place.',
    '',
    '!!! warning "Mind this"',
    '    The key is shown once.',
    '',
    'To stop it, press both buttons:',
    '',
    '![Buttons to press](img/a.png) ![Stop! Now](img/b.png "Both. Buttons")',
    '',
    'It says [Is it done? No.](x.md) until `a.b! C?` has ended. [![Build is green](b.svg)](ci.md) Then it stops.',
  ].join('\n');
  t.same(
    sentencesOf(text).map(({ text, line }) => [line, text]),
    [
      [2, 'Read the basics first.'],
      [2, 'It is short.'],
      [4, 'What to look at'],
      [5, 'Keep the key in a safe place.'],
      [8, 'The key is shown once.'],
      [10, 'To stop it, press both buttons:'],
      [14, 'It says Is it done? No. until `a.b! C?` has ended.'],
      [14, 'Then it stops.'],
    ],
  );
  t.end();
});

t.test('the best sentences are those that answer, or else those that are central', (t) => {
  const text =
    'Invoices are numbered by year. Invoices are sent as PDF by mail. An invoice that is not paid is sent again. ' +
    'The office is closed on Sundays. Invoices of a year are kept for ten years.';
  t.match(bestSentences(text, { limit: 1, terms: questionTerms('when is the office closed?') }), [
    { text: 'The office is closed on Sundays.' },
  ]);
  const central = bestSentences(text, { limit: 3 }).map((sentence) => sentence.text);
  t.notOk(central.includes('The office is closed on Sundays.'));
  t.same(bestSentences('', { limit: 3 }), []);
  t.end();
});

t.test('text of markup without end takes no longer than any other', async (t) => {
  for (const part of ['[', '[a](', '<a ', '**a ', '[[a', '<!--', '| ', 'a: ', '![', '](<', '`a. ']) {
    const text = `A charge is paid.\n\n${part.repeat(200_000)}\n\nAn invoice is due.\n`;
    const said = ['A charge is paid.', 'An invoice is due.'];
    t.same(
      sentencesOf(text).flatMap(({ text }) => (said.includes(text) ? text : [])),
      said,
      part,
    );
    t.ok(statementsOf(text).length > 0, part);
  }
});

t.test('one line of spaces, numbers or very many sentences takes no longer either', async (t) => {
  for (const part of [' ', '1. ', '支付。']) {
    const text = `A charge is paid.\n\n${part.repeat(100_000)}x\n\nAn invoice is due.\n`;
    const texts = sentencesOf(text).map((sentence) => sentence.text);
    t.same([texts[0], texts.at(-1)], ['A charge is paid.', 'An invoice is due.'], part);
  }
});

t.test('a list nested a thousand deep is read like any other', async (t) => {
  const items = Array.from(
    { length: 2000 },
    (_, depth) => `${'  '.repeat(depth)}- the item of level ${depth}`,
  );
  t.same(
    sentencesOf(items.join('\n')).map(({ text }) => text),
    items.map((item) => item.trim().slice(2)),
  );
});

t.test('a very long paragraph is read whole', async (t) => {
  const said = Array.from({ length: 2000 }, (_, index) => `This is what line ${index} of it says.`);
  const sentences = sentencesOf(said.join('\n'));
  t.same(
    sentences.map(({ text }) => text),
    said,
  );
  t.same(
    sentences.map(({ line }) => line),
    said.map((_, index) => index + 1),
  );
});

t.test('a sentence that stands in a text twice is shown once', async (t) => {
  const said = 'A refund takes five days to arrive on the card.';
  t.same(
    bestSentences(`${said}\n\n${said}\n`, { limit: 2 }).map(({ text }) => text),
    [said],
  );
});

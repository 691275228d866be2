import t from 'tap';
import { extractDocument } from '../../../src/ingest/extract/extract.ts';
import { parseMarkdown } from '../../../src/ingest/markdown/parse.ts';

function paragraphs(text: string): readonly (readonly [line: number, text: string])[] {
  return parseMarkdown('page.md', text).sections.flatMap(({ blocks }) =>
    blocks.flatMap((block) =>
      block.kind === 'paragraph' ? [[block.text.line, block.text.text] as const] : [],
    ),
  );
}

t.test('the lines around a container are no text, and its title stands apart', async (t) => {
  t.same(paragraphs(':::note\nThe kiln burns.\n:::\n'), [[2, 'The kiln burns.']]);
  t.same(paragraphs('Look:\n:::: warning\n\nIt burns.\n\n::::\nIt cools.\n'), [
    [1, 'Look:'],
    [4, 'It burns.'],
    [7, 'It cools.'],
  ]);
  t.same(paragraphs(':::tip[Open *it*]  \nWait.\n:::\n'), [
    [1, 'Open it'],
    [2, 'Wait.'],
  ]);
  t.same(paragraphs(':::{note} Open it\nWait.\n:::\n'), [
    [1, 'Open it'],
    [2, 'Wait.'],
  ]);
  t.same(paragraphs('- a\n\n  :::info Heat\n  b\n  :::\n'), [
    [1, 'a'],
    [3, 'Heat'],
    [4, 'b'],
  ]);
  t.same(paragraphs('::: Warning Wait\nIt burns.\n'), [
    [1, 'Wait'],
    [2, 'It burns.'],
  ]);
  t.same(paragraphs(':::note  \r\nIt burns.\r\n:::\t\r\nIt cools.\r\n'), [
    [2, 'It burns.'],
    [4, 'It cools.'],
  ]);
  t.match(
    parseMarkdown('page.md', 'text\n\n    :::note\n').sections[0]?.blocks,
    [{ text: { text: 'text' } }, { kind: 'code', content: ':::note\n' }],
    'one that is indented by four is code',
  );
});

t.test('what a container gives itself can be linked to as before', async (t) => {
  t.match(extractDocument('a.md', ':::note {#hot}\ntext\n:::\n').outline.anchors, [{ anchor: 'hot' }]);
  t.same(extractDocument('a.md', ':::{note}\n:name: hot\n\ntext\n:::\n').outline.labels, ['hot']);
  t.match(extractDocument('a.md', ':::note [B](b.md)\ntext\n:::\n').outline.links, [
    { target: 'b.md', line: 1, column: 9 },
  ]);
});

t.test('the kind of a quotation that is a note is no text', async (t) => {
  t.same(paragraphs('> [!NOTE]\n> The kiln burns.\n> Wait.\n'), [[2, 'The kiln burns. Wait.']]);
  t.same(paragraphs('> [!tip]- Open it\n> Wait.\n'), [
    [1, 'Open it'],
    [2, 'Wait.'],
  ]);
  t.same(paragraphs('> Say:\n> [!NOTE]\n'), [[1, 'Say: [!NOTE]']]);
  t.same(paragraphs('[!NOTE]\ntext\n'), [[1, '[!NOTE] text']]);
  t.same(paragraphs('> [!NOTE](a.md)\n'), [[1, '!NOTE']]);
});

t.test('a note in front of a text does not stand for what a page or a section is about', async (t) => {
  const told = (text: string) =>
    extractDocument('a.md', text).mentions.flatMap(({ key, description = '' }) =>
      key === 'concept:kiln' && description !== '' ? [description] : [],
    );
  for (const heading of ['# Kiln', '# Ovens\n\nThere are ovens.\n\n## Kiln']) {
    const plain = told(`${heading}\n\nThe kiln is an oven that burns clay.\n`);
    t.same([...new Set(plain)], ['The kiln is an oven that burns clay.']);
    for (const note of [
      ':::note\nThe kiln is a hot thing.\n:::\n',
      ':::{warning}\n\nThe kiln is a hot thing.\n\n:::\n',
      '> [!NOTE]\n> The kiln is a hot thing.\n>\n> > The kiln is a hot thing.\n>\n> The kiln is a hot thing.\n',
    ])
      t.same(told(`${heading}\n\n${note}\nThe kiln is an oven that burns clay.\n`), plain, note);
    t.same(
      told(`${heading}\n\n::: grid\nThe kiln is an oven that burns clay.\n:::\n`),
      plain,
      'layout is no note',
    );
  }
  t.same(
    told('# Ovens\n\n:::note\nHot.\n\n## Kiln\n\nThe kiln is an oven that burns clay.\n'),
    ['The kiln is an oven that burns clay.'],
    'one that nobody closes ends with its section',
  );
});

t.test('attributes of a container and elements of one line say nothing', async (t) => {
  t.same(paragraphs('::: moniker range=">= kiln-2"\nIt burns.\n::: moniker-end\n'), [[2, 'It burns.']]);
  t.same(paragraphs('It burns.\n:::image type="content" source="k.png" alt-text="A kiln":::\nIt cools.\n'), [
    [1, 'It burns.'],
    [3, 'It cools.'],
  ]);
  t.same(
    paragraphs(
      ':::row:::\n    :::column span="2":::\n        It burns.\n    :::column-end:::\n:::row-end:::\n'.replaceAll(
        /^ +/gm,
        '',
      ),
    ),
    [[3, 'It burns.']],
  );
});

t.test('a page that says nothing outside of its notes is described by the first of them', async (t) => {
  const described = (text: string) =>
    extractDocument('a.md', text).mentions.map(({ key, description = '' }) => [key, description]);
  const note = ':::note\n\nThe kiln is an oven that burns clay.\n\n:::\n\n:::tip\nOpen it by hand.\n:::\n';
  t.same(described(note), [['document:a.md', 'The kiln is an oven that burns clay.']]);
  t.same(described(`${note}\n- one\n\nIt stands in the yard.\n`), [
    ['document:a.md', 'It stands in the yard.'],
  ]);
});

t.test('a note ends where its own end is', async (t) => {
  const notes = (text: string) =>
    parseMarkdown('page.md', text).sections.flatMap(({ blocks }) =>
      blocks.flatMap((block) => (block.kind === 'paragraph' && block.isNote ? [block.text.text] : [])),
    );
  t.same(notes(':::note\na\n:::\nb\n'), ['a']);
  t.same(notes('a\n\n:::\n\nb\n\n:::note\nc\n:::\n'), ['c'], 'an end of nothing ends nothing');
  t.same(notes('::::note\n:::tip\na\n:::\nb\n::::\nc\n'), ['a', 'b']);
  t.same(notes('::::note\n:::grid\na\n:::\nb\n::::\nc\n'), ['a', 'b'], 'nor does the end of layout');
  t.same(notes(':::note\n:::tip\na\n:::\nb\n:::\nc\n'), ['a', 'b']);
  t.same(notes('::::note\n:::tip\na\n::::\nb\n'), ['a'], 'an end ends what is within');
  t.same(notes(':::note\na\n::::\nb\n'), ['a']);
  t.same(notes('::::tab-set\n:::note\na\n:::\nb\n::::\nc\n'), ['a']);
  t.same(notes('> [!NOTE]\n> a\n> > [!TIP]\n> > b\n>\n> c\n\nd\n'), ['a', 'b', 'c']);
  t.same(notes('> > [!NOTE]\n> > a\n>\n> b\n\nc\n'), ['a']);
});

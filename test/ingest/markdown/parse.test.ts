import t from 'tap';
import type { Block, Section } from '../../../src/ingest/markdown/document.ts';
import { parseMarkdown } from '../../../src/ingest/markdown/parse.ts';
import { lineAt } from '../../../src/ingest/markdown/rich-text.ts';

function sections(text: string, path = 'page.md'): readonly Section[] {
  return parseMarkdown(path, text).sections;
}

function blocks(text: string, path = 'page.md'): Block[] {
  return sections(text, path).flatMap((section) => section.blocks);
}

function paragraphs(text: string, path = 'page.md'): string[] {
  return blocks(text, path).flatMap((block) => (block.kind === 'paragraph' ? [block.text.text.trim()] : []));
}

t.test('sections nest by level and know their lines below front matter', async (t) => {
  const [top, first, second] = sections('---\ntitle: x\n---\n# One\n\ntext\n\nTwo\n---\n\nmore\n');
  t.equal(top?.level, 0);
  t.same([first?.title, first?.line, first?.level], ['One', 4, 1]);
  t.same([second?.title, second?.line, second?.level], ['Two', 8, 2], 'a setext heading is one too');
  t.equal(second?.parent, first);
});

t.test('numbers, anchors and signs around a heading are no part of its title', async (t) => {
  t.same(
    sections('# 2.1 Charges {#charges}\n## 🚀 Refunds ##\n').map(({ title }) => title),
    ['', 'Charges', 'Refunds'],
  );
});

t.test('a paragraph over several lines knows the line of each word', async (t) => {
  const [block] = blocks('one\ntwo `a\nb` three\\\nfour\n');
  t.equal(block?.kind, 'paragraph');
  if (block?.kind !== 'paragraph') return;
  for (const [word, line] of Object.entries({ one: 1, two: 2, three: 3, four: 4 })) {
    t.equal(lineAt(block.text, block.text.text.indexOf(word)), line, word);
  }
});

t.test('cells of a table stand in their row line', async (t) => {
  const [, table] = blocks('text\n\n| A | B |\n|---|---|\n| `a\\|b` | c |\n| d | e |\n');
  t.match(table, {
    kind: 'table',
    header: [{ text: 'A' }, { text: 'B' }],
    rows: [
      { line: 5, cells: [{ text: 'a|b' }, { text: 'c' }] },
      { line: 6, cells: [{ text: 'd' }, { text: 'e' }] },
    ],
  });
});

t.test('a table in HTML with a header is a table, with the line of each row', async (t) => {
  const text = [
    'Above <table><thead><tr><th width="90">Method</th><th>Path</th></tr></thead><tbody>',
    '<tr><td><code>PUT</code></td><td> <a href="pens.md">Pens</a></td></tr>',
    '<tr>',
    '  <td>',
    '    one',
    '    <b>two</b></td><td>x</td>',
    '</tr></tbody></table>',
    'below',
  ];
  const [above, table, below, ...others] = blocks(text.join('\n'));
  t.match(above, { kind: 'paragraph', text: { text: 'Above ', line: 1 } });
  t.match(table, {
    kind: 'table',
    line: 1,
    header: [{ text: 'Method' }, { text: 'Path' }],
    rows: [
      { line: 2, cells: [{ text: 'PUT' }, { text: 'Pens', marks: [{ kind: 'link', start: 0, end: 4 }] }] },
      { line: 3, cells: [{ text: 'one two', line: 5 }, { text: 'x' }] },
    ],
  });
  const cell = table?.kind === 'table' ? table.rows[1]?.cells[0] : undefined;
  t.equal(cell === undefined ? 0 : lineAt(cell, cell.text.indexOf('two')), 6);
  t.match(below, { kind: 'paragraph', text: { line: 7 } });
  t.equal(below?.kind === 'paragraph' ? below.text.text.trim() : '', 'below');
  t.equal(others.length, 0);
});

t.test(
  'a table in HTML without a header, and one that holds another or does not end, stay text',
  async (t) => {
    for (const text of [
      '<table><tr><td>Left</td><td>Right</td></tr></table>',
      '<table><tr><th>Left</th><td>Right</td></tr></table>',
      '<table><tr><th>Left</th></tr><tr><td><table></table></td></tr></table>',
      '<table><tr><th>Left</th></tr>\n\n<tr><td>Right</td></tr></table>',
    ])
      t.ok(
        blocks(text).every(({ kind }) => kind === 'paragraph'),
        text,
      );
  },
);

t.test('code has its language and the line of its first line', async (t) => {
  const [fence, indented] = blocks('```http {1}\nGET /a\n```\n\ntext\n\n    GET /b\n').filter(
    ({ kind }) => kind === 'code',
  );
  t.match(fence, { language: 'http', content: 'GET /a\n', line: 2 });
  t.match(indented, { language: '', content: 'GET /b\n', line: 7 });
});

t.test('comments of HTML and MDX give nothing, over blank lines too', async (t) => {
  t.same(paragraphs('a\n\n<!-- b\n\nc\n-->\n\nd <!-- e --> f\n'), ['a', 'd  f']);
  t.same(paragraphs('a\n\n{/* b\n\nc */}\n\nd {/* e */}f\n', 'page.mdx'), ['a', 'd f']);
});

t.test('an unclosed comment ends with the file', async (t) => {
  t.same(paragraphs('a\n\n<!-- b\n\nc\n'), ['a']);
});

t.test('markdown within components is markdown, however deep it is indented', async (t) => {
  const text = '<Steps>\n    <Step>\n        Call [it](/x).\n\n        - one\n    </Step>\n</Steps>\n';
  const [call, item] = blocks(text, 'page.mdx').filter(({ kind }) => kind === 'paragraph');
  t.match(call, { text: { text: /Call it\./ } });
  t.match(item, { place: { ordered: false, depth: 1, opens: true } });
});

t.test('scripts and styles are no text, and a pre element is code', async (t) => {
  t.same(paragraphs('<style>\n#a {}\n\nb\n</style>\n\ntext\n'), ['text']);
  t.match(blocks('<pre><code>GET /a/&lt;id&gt;\n</code></pre>\n'), [
    { kind: 'code', content: 'GET /a/<id>\n' },
  ]);
});

t.test('imports of components are no prose', async (t) => {
  t.same(paragraphs("import {Route} from '/route.jsx'\n\ntext\n", 'page.mdx'), ['text']);
});

t.test('what an admonition or a tab indents is markdown, with its lines', async (t) => {
  const text =
    '# A\n\n!!! note "Read this"\n\n    Call [it](/x).\n\n    - one\n\n        deep\n\n=== "Tab"\n\n    ```http\n    GET /a\n    ```\n\nend\n';
  const found = blocks(text);
  t.same(
    found.flatMap((block) => (block.kind === 'paragraph' ? [[block.text.text, block.text.line]] : [])),
    [
      ['Read this', 3],
      ['Call it.', 5],
      ['one', 7],
      ['deep', 9],
      ['Tab', 11],
      ['end', 17],
    ],
  );
  t.match(
    found.filter(({ kind }) => kind === 'code'),
    [{ language: 'http', content: 'GET /a\n', line: 14 }],
  );
});

t.test('exclamation marks in prose open nothing, and code below stays code', async (t) => {
  t.same(paragraphs('!!! Stop there, please.\n\n    code\n'), ['!!! Stop there, please.']);
  t.same(paragraphs('??? note\n\ntext\n'), ['??? note', 'text']);
  t.match(blocks('para\n\n    GET /b\n').at(-1), { kind: 'code' });
});

t.test('properties of a component are no headings', async (t) => {
  const text =
    '# A\n\n::grid{class="x"}\n  :::card\n  ---\n  title: Cloud\n  to: /b\n  ---\n  Text.\n  :::\n::\n\n:::note\n---\nText\n---\n';
  const { sections } = parseMarkdown('page.md', text);
  t.same(
    sections.map(({ title }) => title),
    ['', 'A', 'Text'],
  );
  const code = sections.flatMap(({ blocks }) => blocks).find(({ kind }) => kind === 'code');
  t.match(code, { content: 'title: Cloud\nto: /b\n', line: 6 });
});

t.test('exported components of MDX are code, however many paragraphs they take', async (t) => {
  const component =
    "export const Mug = ({ size }) => (\n  <>\n    Don't drop it\n\n    <b>{size}</b>\n  </>\n);\n";
  t.same(paragraphs(`${component}\nA mug holds tea.\n`, 'page.mdx'), ['A mug holds tea.']);
  t.same(paragraphs("import {\n  Mug,\n  Jug,\n} from './jugs.js'\n\ntext\n", 'page.mdx'), ['text']);
  t.same(paragraphs('export const open = (\n\nThe kiln burns.\n', 'page.mdx'), ['The kiln burns.']);
  const unclosed = 'export const open = {\n\nThe kiln burns.\n\nexport const shut = 1;\n\nIt cools. }\n';
  t.same(paragraphs(unclosed, 'page.mdx'), ['The kiln burns.', 'It cools. }']);
  t.same(paragraphs('Export default settings\n\nimport clay, then wait\n\n- export const\n', 'page.mdx'), [
    'Export default settings',
    'import clay, then wait',
    'export const',
  ]);
});

t.test('what stands in texts, comments and patterns of module code opens and closes nothing', async (t) => {
  const shown = 'One.\n\nB) Two } and `three`.\n';
  for (const code of [
    'export const script = `\nfire\n\nglaze\n`;',
    "export const page = `\nimport Mug from 'mug'\n\nimport Jug from 'jug'\n\n# Mugs\n`;",
    'export const size = 1; // as in hold(',
    "export const hold = () => {\n  // it isn't {\n  return 1;\n};",
    '/* a mug ( */\nexport const size = 1;',
    "export const size = 1; /* it's\n\n( a mug */",
    "export const bare = (text) => text.replace(/[({`\"]/g, '').split(/\\(/);",
    "export const Mug = () => (\n  <p>\n    It's 5\" (or so), see http://a.b/{c}\n\n    The potters' mug\n  </p>\n);",
  ])
    t.same(paragraphs(`${code}\n\n${shown}`, 'page.mdx').slice(-2), ['One.', 'B) Two } and three.'], code);
});

t.test(
  'headings and fences below module code are none of it, and prose is not, whatever word it begins with',
  async (t) => {
    const titles = sections("import Mug from 'mug'\n# Mugs\n\ntext\n", 'page.mdx').map(({ title }) => title);
    t.same(titles, ['', 'Mugs']);
    t.same(paragraphs("import Mug from 'mug'\n```js\nfire()\n\nglaze()\n```\n\ntext\n", 'page.mdx'), [
      'text',
    ]);
    const unclosed = 'export const open = {\n\nOne.\n\n## Two\n\nThree }\n';
    t.same(paragraphs(unclosed, 'page.mdx'), ['One.', 'Three }']);
    for (const prose of [
      'export default settings first.',
      'export type declarations as well.',
      'export function calls are logged.',
      'export class names',
      'export const is a word',
      'import type declarations',
    ])
      t.same(paragraphs(`\`\`\`js\nimport Mug from 'mug'\n\`\`\`\n\n${prose}\n`), [prose]);
  },
);

t.test('a tag of MDX may end on a line of its own, and a quote still ends a paragraph', async (t) => {
  const card = '<Card\n  title="Mug"\n  onOpen={() => 1}\n>\n  It holds tea.\n</Card>\n';
  t.same(paragraphs(`${card}\n${card}`, 'page.mdx'), ['It holds tea.', 'It holds tea.']);
  t.same(paragraphs('<Card>\n  One\n> Two\n', 'page.mdx'), ['One', 'Two']);
  t.same(paragraphs('If 2 < b then\n> wait\n', 'page.mdx'), ['If 2 < b then', 'wait']);
});

t.test('what looks like a type is no tag that a quote below it ends', async (t) => {
  for (const type of ['Returns a List<Mug', 'Returns a `List<Mug `', 'Returns a `List<Mug` '])
    t.equal(paragraphs(`${type}\n> wait\n`, 'page.mdx').at(-1), 'wait', type);
});

t.test('a block directly below an import or export of MDX is no part of it', async (t) => {
  for (const code of ["import Mug from 'mug'", 'export const size = 1;']) {
    t.same(paragraphs(`${code}\n- one\n- two\n\ntext\n`, 'page.mdx'), ['one', 'two', 'text'], code);
    t.same(paragraphs(`${code}\n<Card>One</Card>\n\ntext\n`, 'page.mdx'), ['One', 'text'], code);
    const [section] = sections(`${code}\n| a |\n|---|\n| b |\n`, 'page.mdx');
    t.same(
      section?.blocks.map(({ kind }) => kind),
      ['table'],
      code,
    );
  }
  const more = ['export const a =\n- b;', 'export type A =\n| B\n| C;', 'export const a = b &&\n<C />;'];
  for (const code of more) t.same(paragraphs(`${code}\n\ntext\n`, 'page.mdx'), ['text'], code);
});

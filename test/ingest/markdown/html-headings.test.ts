import t from 'tap';
import { extractDocument } from '../../../src/ingest/extract/extract.ts';
import { parseMarkdown } from '../../../src/ingest/markdown/parse.ts';
import { cpuMsOf } from '../../support/cpu-time.ts';

type Shown = readonly [level: number, title: string, line: number];

function headings(text: string, path = 'page.md'): Shown[] {
  const { sections } = parseMarkdown(path, text);
  return sections
    .filter(({ level }) => level > 0)
    .map(({ level, title, line }): Shown => [level, title, line]);
}

function outline(text: string) {
  return extractDocument('page.md', text).outline;
}

t.test('a heading that is written as an element is a section', async (t) => {
  const text =
    '<h1 align="center">The Kiln</h1>\n\nIt burns.\n\n<h2 id="start">Start <i>it</i></h2>\n\nPress.\n\n### Cool\n\nWait.\n';
  t.same(headings(text), [
    [1, 'The Kiln', 1],
    [2, 'Start it', 5],
    [3, 'Cool', 9],
  ]);
  const { sections } = parseMarkdown('page.md', text);
  t.same(
    sections.map(({ blocks }) => blocks.length),
    [0, 1, 1, 1],
  );
  t.equal(sections[2]?.parent, sections[1]);
  t.equal(sections[2]?.heading.text, 'Start it', 'without the edges of the element');
  t.same(
    outline(text).sections.map(({ level, title, line, endLine, parent }) => [
      level,
      title,
      line,
      endLine,
      parent,
    ]),
    [
      [1, 'The Kiln', 1, 11, -1],
      [2, 'Start it', 5, 11, 0],
      [3, 'Cool', 9, 11, 1],
    ],
  );
});

t.test('one of several lines, within other elements and right below text is one, too', async (t) => {
  t.same(headings('a\n\n<h1 align="center">\n  <img src="k.png" alt="">\n  <br>\n  Kiln\n</h1>\nb\n'), [
    [1, 'Kiln', 3],
  ]);
  t.same(headings('<div align="center"><h2>Kiln</h2></div>\n'), [[2, 'Kiln', 1]]);
  t.same(headings('<a name="k"></a><h2\n  class="big">Kiln</h2>\n'), [[2, 'Kiln', 1]]);
  t.same(headings('<details>\n<summary><h3>More</h3></summary>\n\ntext\n\n</details>\n'), [[3, 'More', 2]]);
  t.same(headings('<h2><a href="#kiln">Kiln</a></h2>\n'), [[2, 'Kiln', 1]], 'a link to itself');
  t.same(headings('text\n  <H2>Kiln</H2>\nmore\n'), [[2, 'Kiln', 2]]);
  t.same(headings('> <h2>Quoted</h2>\n> text\n'), [[2, 'Quoted', 1]]);
  t.same(headings('import A from "a";\n\n<Card>\n    <h2>Kiln</h2>\n\n    text\n</Card>\n', 'page.mdx'), []);
  t.same(headings('---\ntitle: x\n---\r\n<h2>Kiln</h2>\r\n\r\ntext\r\n'), [[2, 'Kiln', 4]]);
});

t.test('the sign of a link to the heading itself is no part of its title', async (t) => {
  const text =
    '<h2 id="heat">Heat <a class="anchor" href="#heat" title="Permalink">¶</a></h2>\n\n## Cold [¶](#cold)\n';
  t.same(headings(text), [
    [2, 'Heat', 1],
    [2, 'Cold', 3],
  ]);
  t.same(
    outline(text).sections.map(({ title }) => title),
    ['Heat', 'Cold'],
  );
});

t.test('it is linked to by its own id, and by the one that GitHub gives', async (t) => {
  const read = outline('# Heat\n\n<h2 id="hot">Heat</h2>\n\n<h2>Heat</h2>\n\n# Heat\n');
  t.same(
    read.sections.map(({ anchor }) => anchor),
    ['heat', 'hot', 'heat-2', 'heat-3'],
  );
  t.same(
    read.anchors.map(({ anchor, line }) => [anchor, line]),
    [
      ['heat-1', 3],
      ['hot', 3],
    ],
  );
  t.same(outline('<h2 id="a">Heat</h2>\n').findings, []);
  t.equal(outline('<h2> Heat </h2>\n').sections[0]?.anchor, 'heat', 'white space at its edges is none of it');
  t.equal(outline('<h2 id="a b">Heat</h2>\n').sections[0]?.anchor, 'heat', 'an id has no spaces');
  t.same(outline('## Heat <b>it</b> {#hot}\n').anchors, []);
});

t.test('links within it lead where they are written, on its line', async (t) => {
  t.match(outline('text\n\n<h2>\n  See <a href="b.md">B</a>\n</h2>\n').links, [
    { target: 'b.md', line: 4, column: 7, section: 0 },
  ]);
});

t.test('what stands in it stands on its lines', async (t) => {
  const [, section] = parseMarkdown('page.md', 'text\n\n<h2>\n  Kiln\n  oven\n</h2>\n').sections;
  t.match(section, { line: 3, heading: { text: 'Kiln oven', line: 4, breaks: [5] } });
});

t.test('what is no heading stays as it is', async (t) => {
  for (const text of [
    '```html\n<h2>Kiln</h2>\n```\n',
    '    <h2>Kiln</h2>\n',
    '<!--\n<h2>Kiln</h2>\n-->\n',
    '<pre>\n<h2>Kiln</h2>\n</pre>\n',
    'The `<h2>Kiln</h2>` element\n',
    'text <h2>Kiln</h2>\n',
    '<h2>Kiln</h2> and more text\n',
    '<h2></h2>\n',
    '<h2>&nbsp;</h2>\n',
    '<h1><img src="logo.png" alt="Kiln"></h1>\n',
    '<h2>{title}</h2>\n',
    '<i>GET</i>\n<h6>/kilns/&lt;id&gt;</h6>\n',
    '<h1>{{ page.title }}</h1>\n',
    'export const Head = () => (\n  <h2>Kiln</h2>\n);\n',
    '<h4 align="center">\n  <a href="a">Docs</a> |\n  <a href="b"><b>Chat</b></a>\n</h4>\n',
    '<table>\n<tr><td>\n<h2>Kiln</h2>\n</td></tr>\n</table>\n',
    '<table>\n<tr><td>\n\n<h2>Kiln</h2>\n\n</td></tr>\n</table>\n',
    '| a | b |\n|---|---|\n| <h2>Kiln</h2> | x |\n',
  ])
    t.same(headings(text, text.startsWith('export') ? 'page.mdx' : 'page.md'), [], text);
  t.same(headings('<table>\n\n<h2>Kiln</h2>\n'), [[2, 'Kiln', 3]], 'a table without an end holds nothing');
  t.same(headings('<table>\n<tr><td>\n\n<h2>Kiln</h2>\n\n</td></tr>\n</table>\n\n'.repeat(7)), []);
  t.same(headings('<table></table>\n\n<h2>Kiln</h2>\n\ntext </table>\n'), [[2, 'Kiln', 3]]);
  t.same(
    headings('```html\n<table>\n```\n\n<h2>Kiln</h2>\n\n```html\n</table>\n```\n'),
    [[2, 'Kiln', 5]],
    'nor does one in code',
  );
});

t.test('it is seen which tables are code, whatever their fences look like', async (t) => {
  const table = '\n<table>\n<tr><td>\n\n<h2>Kiln</h2>\n\n</td></tr>\n</table>\n';
  for (const code of [
    '- ```html\n  <table>\n  ```\n',
    '1. - ~~~\n     </table>\n     ~~~\n',
    '````md\n```html\n````\n',
    '~~~\n```\n~~~\n',
    '```js\n```js\n```\n',
    '```code``` as text\n',
  ])
    t.same(headings(code + table), [], code);
});

t.test('one that nobody closes swallows nothing', async (t) => {
  t.same(headings('<h2>One\n\ntext\n\n## Two\n\n<h2>Three</h2>\n'), [
    [2, 'Two', 5],
    [2, 'Three', 7],
  ]);
  t.same(headings('<h2>One\n<h2>Two</h2>\n'), [[2, 'Two', 2]]);
  t.same(headings('<h2>One<h3>Two</h3></h2>\n'), []);
  t.same(headings('<h2>One</h3>\n\n# Two\n'), [[1, 'Two', 3]]);
  t.same(headings('<h2 title="One\n\n# Two\n'), [[1, 'Two', 3]]);
  t.same(headings('<h2>One\n\ntwo</h2>\n'), []);
  t.same(headings('- <h2>One\n- two</h2>\n'), []);
  t.same(headings('> <h2>One\ntwo</h2>\n'), []);
  t.same(headings(`<h2>${'One '.repeat(1_100)}</h2>\n`), [], 'a long one');
  t.same(headings(`<h2>${'One\n'.repeat(25)}</h2>\n`), [], 'one of many lines');
  t.equal(headings('<h2>One</h2>\n'.repeat(10_000)).length, 10_000);
});

t.test('however many there are, and however long, they take time in proportion', async (t) => {
  const texts: Readonly<Record<string, string>> = {
    unclosed: '<h2>a\n',
    closed: '<h2>a</h2>\n',
    'in lines of their own': '<h2>a\n\n',
    'in one line': '<h2>a</h2>',
    'within tables': '<table>\n<h2>a</h2>\n',
    'within other elements': '<div><p>',
    'with links': '<h2><a href="b">a ',
    'with attributes': '<h2 a="b" ',
  };
  for (const [what, piece] of Object.entries(texts)) {
    const ofLength = (length: number) => {
      const text = `${piece.repeat(length / piece.length)}\n\n# End\n`;
      return cpuMsOf(() => {
        t.match(headings(text).at(-1), [1, 'End'], what);
      });
    };
    for (let run = 0; run < 3; run += 1) ofLength(15_000);
    const short = Math.min(ofLength(15_000), ofLength(15_000));
    const long = ofLength(240_000);
    t.ok(long < Math.max(short, 10) * 16 * 4, `${what}: ${short.toFixed(1)} ms, then ${long.toFixed(1)} ms`);
  }
});

t.test('it names the page, where it is not only a banner', async (t) => {
  const title = (path: string, text: string) => extractDocument(path, text).title;
  t.equal(
    title('guide/oven.md', '<div align="center">\n<h1>The Kiln</h1>\n</div>\n\nIt burns.\n'),
    'The Kiln',
  );
  t.equal(title('oven.md', '# Oven\n\n<h1>The Kiln</h1>\n'), 'Oven');
  t.equal(title('README.md', '<h1 align="center">The Kiln</h1>\n\n## Install\n\nPress.\n'), 'The Kiln');
  t.equal(title('Oven.md', '<h1 align="center">The Kiln</h1>\n\n## Heat\n\nPress.\n'), 'Oven');
  t.equal(title('heat/index.md', '<h1 align="center">The Kiln</h1>\n\n## Heat\n\nPress.\n'), 'heat');
  t.equal(title('oven.md', '<h1>The Kiln</h1>\n\n# Heat\n\nPress.\n'), 'Heat');
  t.equal(title('oven.md', '<h1>The Kiln</h1>\n'), 'The Kiln');
  t.equal(title('oven.md', '<h1>The Kiln</h1>\n\nIt burns.\n\n## Heat\n\nPress.\n'), 'The Kiln');
  t.equal(title('oven.md', '<h1>The Kiln</h1>\n\n```\nburn\n```\n\n## Heat\n'), 'The Kiln');
  t.equal(title('Oven.md', '# The Kiln\n\n## Heat\n\nPress.\n'), 'The Kiln');
  for (const smaller of ['## The Kiln', '<h2>The Kiln</h2>'])
    t.equal(title('Oven.md', `${smaller}\n\n# Heat\n\nPress.\n`), 'Oven', smaller);
});

t.test('a break within it parts words in its title, though not in its id', async (t) => {
  const read = outline('<h2>Kiln<br>oven</h2>\n\n## Heat<br/>it\n\n<h2><b>No</b>vel</h2>\n');
  t.same(
    read.sections.map(({ title, anchor }) => [title, anchor]),
    [
      ['Kiln oven', 'kilnoven'],
      ['Heat it', 'heatit'],
      ['Novel', 'novel'],
    ],
  );
});

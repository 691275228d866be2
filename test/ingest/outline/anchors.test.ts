import t from 'tap';
import { extractDocument } from '../../../src/ingest/extract/extract.ts';

function outline(text: string) {
  return extractDocument('a.md', text).outline;
}

function headings(text: string): string[] {
  return outline(text).sections.map(({ anchor }) => anchor);
}

/** As github.com renders them. */
const CASES: readonly (readonly [heading: string, anchor: string])[] = [
  ['Hello World', 'hello-world'],
  ['Hello, World!', 'hello-world'],
  ['C++ & C#', 'c--c'],
  ['What is `npm ci`?', 'what-is-npm-ci'],
  ['foo_bar and foo-bar', 'foo_bar-and-foo-bar'],
  ['**Bold** and *italic* and ~~struck~~', 'bold-and-italic-and-struck'],
  ['snake_case_name', 'snake_case_name'],
  ['_emphasis_ here', 'emphasis-here'],
  ['A [link](https://example.com/x?y) here', 'a-link-here'],
  ['A [reference][ref] here', 'a-reference-here'],
  ['![logo](logo.png) Project', '-project'],
  ['1. Getting started', '1-getting-started'],
  ['2.1.0 (2024-01-02)', '210-2024-01-02'],
  ['Two  spaces', 'two--spaces'],
  ['a -- b --- c', 'a----b-----c'],
  ['Привет, мир', 'привет-мир'],
  ['日本語 の 見出し', '日本語-の-見出し'],
  ['Ünïcödé', 'ünïcödé'],
  ['😄 Emoji', '-emoji'],
  [':smile: Emoji', 'smile-emoji'],
  ['`GET /users/{id}`', 'get-usersid'],
  ['GET /users/<id>', 'get-users'],
  ['GET /users/\\<id\\>', 'get-usersid'],
  ['`<Note>` component', 'note-component'],
  ['Text<br>behind', 'textbehind'],
  ['Text <sup>new</sup>', 'text-new'],
  ['Tom &amp; Jerry', 'tom--jerry'],
  ['Trailing marks ##', 'trailing-marks'],
  ['It\'s "quoted"', 'its-quoted'],
  ['Comment <!-- hidden --> behind', 'comment--behind'],
  ['<a id="x"></a>Behind an anchor', 'behind-an-anchor'],
  ['[[Page|Alias]] linked', 'alias-linked'],
  ['!!!', ''],
];

t.test('a heading has the id that GitHub gives it', async (t) => {
  for (const [heading, anchor] of CASES) {
    t.same(headings(`# ${heading}\n\n[ref]: x.md\n`), [anchor], heading);
  }
});

t.test('headings of one text are counted', async (t) => {
  t.same(headings('# Foo\n## Foo\n# foo-1\n# Foo\n'), ['foo', 'foo-1', 'foo-1-1', 'foo-2']);
  t.same(headings('# constructor\n# `__proto__`\n# constructor\n'), [
    'constructor',
    '__proto__',
    'constructor-1',
  ]);
});

t.test('a heading may name itself', async (t) => {
  const own = '# A {#own}\n# B {: #kramdown }\n# C {#pandoc .wide}\n# D {/* #mdx */}\n# Own\n# E {#own}\n';
  t.same(headings(own), ['own', 'kramdown', 'pandoc', 'mdx', 'own-1', 'own-2']);
  t.same(
    outline(own).sections.map(({ title }) => title),
    ['A', 'B', 'C', 'D', 'Own', 'E'],
  );
  t.same(headings('# Write `{#id}`\n# {#only}\n'), ['write-id', 'only']);
});

t.test('what is no heading has no section', async (t) => {
  const text =
    '```\n# code\n```\n~~~md\n# code\n~~~\n    # code\n\n<!--\n# comment\n-->\n<!-- a\n# comment\n--> b\n\n#tag\n\n# Yes\n';
  t.same(headings(text), ['yes']);
  t.same(headings('<pre>\n# raw\n</pre>\n<script>\n# raw\n</script>\n'), []);
  t.same(headings('---\ntitle: x\n# yaml comment\n---\n# Yes\n'), ['yes']);
});

t.test('sections nest by level and reach to the next heading of theirs', async (t) => {
  const { sections } = outline(
    '---\na: 1\n---\nIntro\n\nTitle\n=====\n\n### Deep\ntext\n\nSub\n---\n\n# Next\nend\n',
  );
  t.same(sections, [
    { level: 1, title: 'Title', anchor: 'title', line: 6, endLine: 14, parent: -1 },
    { level: 3, title: 'Deep', anchor: 'deep', line: 9, endLine: 11, parent: 0 },
    { level: 2, title: 'Sub', anchor: 'sub', line: 12, endLine: 14, parent: 0 },
    { level: 1, title: 'Next', anchor: 'next', line: 15, endLine: 16, parent: -1 },
  ]);
});

t.test('a file with carriage returns has the same structure', async (t) => {
  const text = '---\na: 1\n---\n# One\n\ntext ^b\n\nTwo\n---\n';
  t.same(outline(text.replaceAll('\n', '\r\n')), outline(text));
});

t.test('elements, block ids and HTML headings can be linked to', async (t) => {
  const { anchors, sections } = outline(
    '# T\n<a name="top"></a>\n\nText\nwith <span id="here">x</span>\n\n<div id="box">\n\n- item ^item-1\n- other\n\n^para\n\n| a | b |\n|---|---|\n| <a id="cell"></a> | ^x |\n\n<h2 align="center">Html & more</h2>\n\n<input name="no">\n\n`<a id="code">`\n',
  );
  t.same(anchors, [
    { anchor: 'top', line: 2 },
    { anchor: 'here', line: 5 },
    { anchor: 'box', line: 7 },
    { anchor: '^item-1', line: 9 },
    { anchor: '^para', line: 12 },
    { anchor: 'cell', line: 16 },
    { anchor: '^x', line: 16 },
  ]);
  t.same(
    sections.map(({ anchor, line }) => [anchor, line]),
    [
      ['t', 1],
      ['html--more', 18],
    ],
  );
});

t.test('the fields of front matter have their lines', async (t) => {
  t.same(outline('---\ntitle: x\nlist:\n  - a\n"quoted": 1\n---\n').fields, { title: 2, list: 3, quoted: 5 });
});

t.test('what is no text has no structure', async (t) => {
  t.same(outline('x\0y').sections, []);
});

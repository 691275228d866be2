import t from 'tap';
import { extractDocument } from '../../src/ingest/extract/extract.ts';
import { lint } from '../../src/lint/lint.ts';
import type { LintView } from '../../src/lint/view.ts';
import { findingsIn, told, viewOf } from './docs.ts';

t.test('front matter that is no YAML, is not closed or has a key twice is malformed', async (t) => {
  t.same(told({ 'x.md': '---\ntitle: a: b: c\n  x: [1\n---\n# X\n' }).length, 1);
  t.same(told({ 'x.md': '---\ntitle: A\n\n# X\n' }), ['x.md:1:1 front-matter']);
  t.same(told({ 'x.md': '---\ntitle: A\ntags: [a]\ntitle: B\n---\n' }), ['x.md:4:1 front-matter title']);
  t.same(told({ 'x.md': '---\ntitle: "{{ x }}"\ntags:\n  - a\n---\n# X\n' }), []);
  t.same(told({ 'x.md': '---\n\nA rule above.\n' }), []);
});

t.test(
  'a row with other cells than the header, and a table without a delimiter row, are malformed',
  async (t) => {
    const table = '| a | b |\n|---|---|\n| 1 | 2 |\n';
    t.same(told({ 'x.md': `${table}| 1 |\n| 1 | 2 | 3 |\n` }), [
      'x.md:4:1 malformed-table',
      'x.md:5:1 malformed-table',
    ]);
    t.same(told({ 'x.md': '| a | b |\n| 1 | 2 |\n' }), ['x.md:1:1 malformed-table']);
    t.same(told({ 'x.md': '| a | b |\n|---|\n| 1 | 2 |\n' }), ['x.md:2:1 malformed-table']);
    t.same(told({ 'x.md': '| a | b |\n|---|===|\n| 1 | 2 |\n' }), ['x.md:2:1 malformed-table']);
    t.same(
      told({
        'x.md': `${table}\nText | with a pipe\nand \`a || b\`\n\n> ${table.replaceAll('\n', '\n> ')}\n`,
      }),
      [],
    );
    t.same(told({ 'x.md': 'a | b\n--|--\n1 | x \\| y\n' }), []);
  },
);

t.test('a fence that is not closed is found where it begins, also where the next one ends it', async (t) => {
  t.same(told({ 'x.md': '# X\n\n```js\nlet a;\n' }), ['x.md:3:1 unclosed-fence']);
  t.same(told({ 'x.md': '```sh\nls\n\nText.\n\n```js\nlet a;\n```\n' }), ['x.md:1:1 unclosed-fence']);
  t.same(told({ 'x.md': '```\nls\n\n## Next\n\nText.\n\n```\nb\n```\n' }), ['x.md:1:1 unclosed-fence']);
  t.same(
    told({
      'x.md': '````md\n```js\nx\n```\n````\n\n~~~\n```\n~~~\n\n- ```sh\n  ls\n  ```\n\n> ```\n> x\n> ```\n',
    }),
    [],
  );
});

t.test('a line of many backticks that opens a fence is told in a few words', async (t) => {
  const [finding] = extractDocument('x.md', `# X\n\n${'`'.repeat(30_000)}\n`).outline.findings;
  t.match(finding, { rule: 'unclosed-fence', line: 3, message: /a line of 30000 times "`" is missing$/ });
  const [usual] = extractDocument('x.md', '# X\n\n````\n').outline.findings;
  t.match(usual, { message: /a line "````" is missing$/ });
});

t.test('a reference whose name is defined nowhere is unresolved', async (t) => {
  t.same(told({ 'x.md': 'See [text][missing] and [other][].\n' }), [
    'x.md:1:5 unresolved-reference missing',
    'x.md:1:25 unresolved-reference other',
  ]);
  t.same(told({ 'x.md': 'A[^1] and B[^two].\n\n[^1]: One.\n' }), ['x.md:1:12 unresolved-reference ^two']);
  t.same(
    told({
      'x.md': 'See [text][here] and [Here][], a[i][j], [a-z][0-9], [`Vec`][std::vec].\n\n[here]: #x\n\n# X\n',
    }),
    [],
  );
});

t.test('an id that is given twice is a duplicate, as are equal headings side by side', async (t) => {
  t.same(told({ 'x.md': '<a id="a"></a> x\n\n<a id="a"></a> y\n' }), ['x.md:3:1 duplicate-anchor a']);
  t.same(told({ 'x.md': '# X\n\n## Setup\n\nText.\n\n## Setup\n' }), ['x.md:7:1 duplicate-anchor setup']);
  t.same(told({ 'x.md': '# 1.0\n\n## Fixed\n\nA.\n\n# 1.1\n\n## Fixed\n' }), []);
});

t.test('a thing that only a Relationships section names is unresolved', async (t) => {
  const files = { 'customer.md': '# Customer\n\nA **Customer** is a buyer.\n' };
  const text =
    '# Charge\n\nA charge.\n\n## Relationships\n\n- belongs_to **Customer**\n- requires **Custmer**\n';
  t.same(told({ ...files, 'charge.md': text }), ['charge.md:8:1 unresolved-entity Custmer -> Customer']);
});

t.test('what is said of a thing outside of lists of relations, here or elsewhere, resolves it', async (t) => {
  const lists = '# X\n\n## Relationships\n\n- a\n\n## Others\n\nText.\n';
  const files = { 'x.md': lists, 'y.md': lists, 'z.md': '# Z\n\nText.\n' };
  /** Lines of each file that speak of it. */
  const spoken: Readonly<Record<string, Readonly<Record<string, number[]>>>> = {
    'concept:listed': { 'x.md': [5] },
    'concept:heading': { 'x.md': [3] },
    'concept:listed-twice': { 'x.md': [5], 'y.md': [5] },
    'concept:said-here': { 'x.md': [5, 9] },
    'concept:said-there': { 'x.md': [5], 'y.md': [9] },
    'concept:said-without-lists': { 'x.md': [5], 'z.md': [3] },
    'concept:undeclared': { 'x.md': [5] },
    'event:listed': { 'x.md': [5] },
  };
  const view: LintView = {
    ...viewOf(files),
    mentionsIn: (path) =>
      Object.entries(spoken).flatMap(([key, { [path]: lines }]) =>
        lines === undefined ? [] : [{ key, label: key, lines, declares: key !== 'concept:undeclared' }],
      ),
    mentionsOf: (key) => Object.entries(spoken[key] ?? {}).map(([path, lines]) => ({ path, lines })),
    nodeLabels: () => ['concept:listed', 'concept:listd'],
  };
  const findings = lint(view, {
    ...{ rules: { 'orphan-document': 'off' }, siteRoot: undefined, rootName: 'docs', roots: [] },
    ignores: () => false,
  });
  t.same(
    findings.map(({ file, line, target, suggestion = '' }) => `${file}:${line} ${target} ${suggestion}`),
    [
      'x.md:3 concept:heading ',
      'x.md:5 concept:listed concept:listd',
      'x.md:5 concept:listed-twice ',
      'y.md:5 concept:listed-twice ',
    ],
  );
});

t.test('what a template requires is missed where it is missing', async (t) => {
  const requirements = [
    { kind: 'field', name: 'status', by: 'the template "adr"' },
    { kind: 'heading', name: 'Decision', by: 'the template "adr"' },
  ] as const;
  t.same(told({ 'adr/1.md': '# A\n', 'b.md': '# B\n' }, { requirements }), [
    'adr/1.md:1:1 missing-field status',
    'adr/1.md:1:1 missing-field Decision',
  ]);
  t.same(told({ 'adr/1.md': '---\nStatus: ok\n---\n# A\n\n## decision\n' }, { requirements }), []);
});

t.test(
  'a document without a link to it is an orphan, unless readers begin there or a sidebar leads there',
  async (t) => {
    const on = { rules: { 'orphan-document': 'warning' } } as const;
    const files = {
      'index.md': '[a](sub/a.md)\n',
      'sub/a.md': '# A\n',
      'sub/README.md': '# S\n',
      'sub/b.md': '# B\n',
    };
    t.same(told(files, on), ['sub/b.md:1:1 orphan-document']);
    const many = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`sub/d${index}.md`, '# D\n']));
    t.same(told({ ...files, ...many }, on), []);
  },
);

t.test('comments switch rules off for a line, a part or the file', async (t) => {
  const link = '[x](gone.md)';
  const off = (name: string, text: string) => told({ [name]: text });
  t.same(off('x.md', `${link} <!-- kgraphfs-lint-disable-line -->\n`), []);
  t.same(off('x.md', `<!-- kgraphfs-lint-disable-next-line broken-link -->\n${link}\n`), []);
  t.same(
    off(
      'x.mdx',
      `{/* kgraphfs-lint-disable broken-link */}\n\n${link}\n\n{/* kgraphfs-lint-enable */}\n\n${link}\n`,
    ),
    ['x.mdx:7:1 broken-link gone.md'],
  );
  t.same(off('x.md', `${link}\n\n<!-- kgraphfs-lint-disable-file broken-link, broken-anchor -->\n`), []);
  t.same(off('x.md', `<!-- kgraphfs-lint-disable-line front-matter -->\n\n${link}\n`).length, 1);
  t.same(off('x.md', `\`<!-- kgraphfs-lint-disable -->\` ${link}\n`).length, 1);
});

t.test('the configuration makes rules graver, less grave or silent', async (t) => {
  const files = { 'x.md': '[x](gone.md) [y](../z.md)\n' };
  const severities = (rules: Parameters<typeof findingsIn>[1]) =>
    findingsIn(files, rules).map(({ rule, severity }) => `${rule} ${severity}`);
  t.same(severities({}), ['broken-link error']);
  t.same(severities({ rules: { 'broken-link': 'warning', 'link-outside': 'error' } }), [
    'broken-link warning',
    'link-outside error',
  ]);
  t.same(severities({ rules: { 'broken-link': 'off' } }), []);
});

t.test(
  'the fence without an end is found, though those below are shifted, and what it hides is not missed',
  async (t) => {
    const text = [
      '# X\n\n[a](#part) and [b][b]\n\n```js\na()\n\nProse here:\n\n```\n$ run\n```\n\n## Part\n\n[b]: y.md\n',
      '```js\nb()\n```\n',
    ].join('\n');
    t.same(told({ 'x.md': text, 'y.md': '# Y\n' }), ['x.md:5:1 unclosed-fence']);
    const bare = '# X\n\n```\na\n\nProse.\n\n```\nb\n```\n\nProse.\n\n```\nc\n```\n';
    t.same(told({ 'x.md': bare }), ['x.md:3:1 unclosed-fence']);
  },
);

t.test('a table whose rows leave off their last cells is meant so; one short row is not', async (t) => {
  const head = '# X\n\n| a | b | c |\n|---|---|---|\n';
  t.same(told({ 'x.md': `${head}| 1 | 2 |\n| 1 | 2 |\n| 1 | 2 |\n| 1 | 2 | 3 |\n` }), []);
  t.same(told({ 'x.md': `${head}| 1 | 2 |\n| 1 | 2 | 3 |\n` }), ['x.md:5:1 malformed-table']);
});

t.test('a row that is filled up or cut is a warning, what is no table at all an error', async (t) => {
  const gravity = (text: string) => findingsIn({ 'x.md': text }).map(({ severity }) => severity);
  t.same(gravity('| a | b |\n|---|---|\n| 1 |\n| 1 | 2 | 3 |\n'), ['warning', 'warning']);
  t.same(gravity('| a | b |\n|---|\n| 1 | 2 |\n'), ['error']);
  t.same(gravity('| a | b |\n| 1 | 2 |\n'), ['error']);
});

t.test('front matter is broken where its quote or bracket opens', async (t) => {
  const text = '---\ntitle: A\ntags: [a, "b\nowner: me\nother: you\n---\n\n# X\n';
  t.match(told({ 'x.md': text }), [/^x\.md:3:\d+ front-matter$/]);
});

t.test(
  'what is wrong with front matter is the same to lint and among the problems of the document',
  async (t) => {
    for (const [yaml, line, column] of [
      ['title: "a\nowner: me', 2, 1],
      ['title: A\ntags: [a, "b\nowner: me', 3, 1],
      ['title: a: b: c', 2, 8],
      ['- a\n- b', 1, 1],
    ] as const) {
      const { problems, outline } = extractDocument('x.md', `---\n${yaml}\n---\n\n# X\n`);
      const [finding] = outline.findings;
      t.match(finding, { line, column, message: /^front matter: (?!front matter).*[^:]$/ }, yaml);
      t.match(problems, [{ line: finding?.line, message: finding?.message }], yaml);
    }
  },
);

t.test('helpers of templates give no ids', async (t) => {
  t.same(told({ 'x.md': '# X\n\n`{{#get}}` and {{#get}}\n\n`{{#get}}` and \\{\\{#get}}\n' }), []);
});

t.test('a name in brackets right before a link is no reference', async (t) => {
  t.same(told({ 'x.md': '# X\n\n[Name][text here](https://x.org)\n' }), []);
});

t.test('what could not be read is told, and nothing else of it', async (t) => {
  const files = { 'a.md': '# A\n\n[gone](gone.md)\n', 'b.md': '' };
  const unread = { 'b.md': 'NUL', sub: 'no entry' };
  t.same(told(files, { unread }), [
    'a.md:3:1 broken-link gone.md',
    'b.md:1:1 unreadable',
    'sub:1:1 unreadable',
  ]);
  t.same(told(files, { unread, rules: { unreadable: 'off' } }), ['a.md:3:1 broken-link gone.md']);
});

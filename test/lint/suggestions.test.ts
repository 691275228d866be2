import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import t from 'tap';
import type { LintFinding } from '../../src/lint/finding.ts';
import { suggestedEdits, unifiedDiff } from '../../src/lint/suggested-edits.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { type Files, findingsIn, told } from './docs.ts';

const PAGES: Files = {
  'guide/install.md': '# Install\n\n## First steps\n',
  'guide/configuration.md': '# Configuration\n\n## All options\n',
  'Reference Manual.md': '# Reference\n\n## Error codes\n',
};

/** Ways to link to these pages, all of which hold. */
const LINKS = [
  [
    '[a](guide/install.md)',
    '[a](guide/install.md#first-steps)',
    '[a](/guide/configuration)',
    '[a](./guide/install)',
  ],
  ['[a](Reference%20Manual.md#error-codes)', '[a](<Reference Manual.md>)', '[[Reference Manual]]'],
  ['[[configuration#All options|x]]', '<a href="guide/configuration.md">x</a>', '![[install]]'],
].flat();

/** A link misspelt by one changed letter behind its mark. */
const misspelt = fc
  .tuple(fc.constantFrom(...LINKS), fc.nat(), fc.constantFrom('x', 'q', ''))
  .map(([link, at, letter]) => {
    const start = Math.max(link.indexOf('](') + 2, link.indexOf('[[') + 2, link.indexOf('="') + 2);
    const index = start + (at % 12);
    return /[a-z]/.test(link.charAt(index)) ? link.slice(0, index) + letter + link.slice(index + 1) : link;
  });

t.test('what is changed as suggested has no finding with a suggestion any more', async (t) => {
  await fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.constantFrom('', '- ', '> ', 'Text, '), misspelt), { maxLength: 12 }),
      (rows) => {
        const text = `# X\n\n${rows.map(([mark, link]) => `${mark}${link} and ${link}\n`).join('\n')}`;
        const before = findingsIn({ ...PAGES, 'x.md': text });
        const suggested = before.filter(({ suggestion }) => suggestion !== undefined);
        const lines = text.split('\n');
        for (const { line, after } of suggestedEdits(text, before)) lines[line - 1] = after;
        const after = findingsIn({ ...PAGES, 'x.md': lines.join('\n') });
        const left = suggested.filter(({ target, rule }) =>
          after.some((finding) => finding.rule === rule && finding.target === target),
        );
        t.same(left, []);
      },
    ),
    { numRuns: 150 },
  );
});

t.test('edits are told as a diff with three lines around them', async (t) => {
  const text = '1\n2\n3\n4\n[x](guid.md)\n6\n';
  const findings = findingsIn({ 'guide.md': '# G\n', 'x.md': text });
  t.equal(
    unifiedDiff('x.md', text, suggestedEdits(text, findings)),
    '--- a/x.md\n+++ b/x.md\n@@ -2,5 +2,5 @@\n 2\n 3\n 4\n-[x](guid.md)\n+[x](guide.md)\n 6\n',
  );
  t.equal(unifiedDiff('x.md', text, []), '');
});

t.test(
  'each suggestion of a line is followed, in the order of lines, and none that does not stand there',
  async (t) => {
    const finding = (line: number, column: number, target: string, suggestion?: string): LintFinding => ({
      ...{ file: 'x.md', line, column, rule: 'broken-link', severity: 'error', target, message: '' },
      ...(suggestion === undefined ? {} : { suggestion }),
    });
    const text =
      '# X\n\n[b](much/longer/b.md) [a](a.md) [a](a.md)\n\n[c](c\\_d.md) and, which is another, a.md';
    const edits = suggestedEdits(text, [
      finding(5, 1, 'c_d.md', 'cd.md'),
      finding(5, 37, 'a.md', 'longer/a.md'),
      finding(3, 1, 'much/longer/b.md', 'b.md'),
      finding(3, 23, 'a.md', 'one.md'),
      finding(3, 33, 'a.md', 'two.md'),
      finding(1, 1, 'X'),
      finding(9, 1, 'a.md', 'one.md'),
    ]);
    t.same(edits, [
      {
        line: 3,
        before: '[b](much/longer/b.md) [a](a.md) [a](a.md)',
        after: '[b](b.md) [a](one.md) [a](two.md)',
      },
      {
        line: 5,
        before: '[c](c\\_d.md) and, which is another, a.md',
        after: '[c](c\\_d.md) and, which is another, longer/a.md',
      },
    ]);
    const rows = ['-[b](much/longer/b.md) [a](a.md) [a](a.md)', '+[b](b.md) [a](one.md) [a](two.md)'];
    const last = [
      '-[c](c\\_d.md) and, which is another, a.md',
      '\\ No newline at end of file',
      '+[c](c\\_d.md) and, which is another, longer/a.md',
    ];
    t.equal(
      unifiedDiff('x.md', text, edits),
      [
        ...['--- a/x.md', '+++ b/x.md', '@@ -1,5 +1,5 @@', ' # X', ' ', ...rows, ' ', ...last],
        ...['\\ No newline at end of file', ''],
      ].join('\n'),
    );
  },
);

t.test('lines of context that two edits share stand in one hunk', async (t) => {
  const text = `${Array.from({ length: 20 }, (_, index) => `${index + 1}`).join('\n')}\n`;
  const hunks = (...lines: number[]) => {
    const edits = lines.map((line) => ({ line, before: `${line}`, after: 'x' }));
    return unifiedDiff('x.md', text, edits).match(/^@@.*@@$/gm);
  };
  t.same(hunks(5, 11), ['@@ -2,13 +2,13 @@']);
  t.same(hunks(5, 12), ['@@ -2,7 +2,7 @@', '@@ -9,7 +9,7 @@']);
  t.same(hunks(1, 20), ['@@ -1,4 +1,4 @@', '@@ -17,4 +17,4 @@']);
});

t.test('git takes the diff of a file of any name', async (t) => {
  for (const name of [
    'a b.md',
    ' a.md',
    'a .md',
    'a\nb.md',
    'a\tb.md',
    'a"b.md',
    'a\\b.md',
    '\u{1f600} \u05d0.md',
    'a\u007f\u0001.md',
  ]) {
    const folder = temporaryFolder(t);
    writeFileSync(join(folder, name), 'one\n');
    const diff = unifiedDiff(name, 'one\n', [{ line: 1, before: 'one', after: 'two' }]);
    execFileSync('git', ['apply'], { cwd: folder, input: diff });
    t.equal(readFileSync(join(folder, name), 'utf8'), 'two\n', JSON.stringify(name));
  }
});

t.test('a name with a space ends with a tab, for patch', async (t) => {
  const diff = unifiedDiff('a b.md', 'one\n', [{ line: 1, before: 'one', after: 'two' }]);
  t.match(diff, /^--- a\/a b\.md\t\n\+\+\+ b\/a b\.md\t\n/);
});

t.test('two neighbours that changed places are one change', async (t) => {
  t.same(told({ 'x.md': '# X\n\n[a](gaols.md) [b](#gaols)\n\n## Goals\n', 'goals.md': '# G\n' }), [
    'x.md:3:1 broken-link gaols.md -> goals.md',
    'x.md:3:15 broken-anchor #gaols -> #goals',
  ]);
});

t.test('a reference without a definition is told the near one', async (t) => {
  t.same(told({ 'x.md': '# X\n\nSee [text][manaul].\n\n[Manual]: https://x.org\n' }), [
    'x.md:3:5 unresolved-reference manaul -> Manual',
  ]);
});

t.test('a page is suggested that is moved, or near by its name or its path, and alone in that', async (t) => {
  const link = (target: string, ...files: string[]) => {
    const pages = Object.fromEntries(files.map((file) => [file, '# P\n']));
    const [finding] = findingsIn({ ...pages, 'x.md': `# X\n\n[a](${target})\n` });
    return finding?.suggestion;
  };
  t.equal(link('gone/page.md', 'alpha/page.md'), 'alpha/page.md');
  t.equal(link('gone/page.md', 'alpha/page.md', 'bravo/page.md'), undefined, 'either may be meant');
  t.equal(link('giude/page.md', 'guide/page.md', 'bravo/page.md'), 'guide/page.md');
  t.equal(link('instal.md', 'far/away/install.md'), 'far/away/install.md');
  t.equal(link('instal.md', 'far/install.md', 'away/install.md'), undefined);
  t.equal(link('img/logo.png', 'logo.md'), undefined, 'a page is no image');
  t.equal(link('logo.png', 'logos.md'), undefined);
  t.equal(link('img/logo.png', 'logo.png'), 'logo.png');
  t.equal(link('gone/page.html', 'alpha/page.md'), 'alpha/page.html', 'as a site calls it');
  t.equal(link('alpha/pgae.html', 'alpha/page.md', 'page.png'), 'alpha/page.html');
});

t.test('a link is suggested in the manner of the one that was written', async (t) => {
  const link = (target: string, file: string, from = 'x.md') => {
    const [finding] = findingsIn({ [file]: '# P\n\n## Q\n', [from]: `# X\n\n[a](${target})\n` });
    return finding?.suggestion;
  };
  t.equal(link('pgae.md#q', 'page.md'), 'page.md#q');
  t.equal(link('/pgae.md', 'page.md', 'sub/x.md'), '/page.md');
  t.equal(link('./pgae.md', 'page.md'), './page.md');
  t.equal(link('./page.md', 'page.md', 'sub/x.md'), '../page.md');
  t.equal(link('pgae', 'page.md'), 'page');
  t.equal(link('<a pgae.md>', 'a page.md'), 'a%20page.md');
  t.equal(link('a-%28pgae%29.md', 'a-(page).md'), 'a-%28page%29.md');
});

import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import t from 'tap';
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

import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { editsOf, writeEdits } from '../../../src/cli/lint/follow-suggestions.ts';
import type { LintFinding } from '../../../src/lint/finding.ts';
import { oneFolder } from '../../support/one-folder.ts';
import { temporaryFolder } from '../../support/temporary.ts';

t.test('a document is changed as a whole, and one that cannot be is named and left as it was', async (t) => {
  const folder = temporaryFolder(t);
  const [document, taken] = [join(folder, 'a.md'), join(folder, 'taken.md')];
  writeFileSync(document, 'See [b](c.md), and more.\n');
  mkdirSync(taken);
  const descriptor = openSync(document, 'r');
  t.teardown(() => closeSync(descriptor));
  const edits = [document, taken].map((path) => ({ changed: { path, text: 'See [b](b.md).\n' } }));
  t.throws(() => writeEdits(edits), {
    name: 'UserError',
    message: `${taken}: cannot be written, and stays as it was: EISDIR: illegal operation on a directory, open '${taken}'; changed before: 1 of 2 files; when that is fixed, run it again: nothing is changed twice`,
  });
  t.equal(readFileSync(document, 'utf8'), 'See [b](b.md).\n');
  t.equal(readFileSync(descriptor, 'utf8'), 'See [b](c.md), and more.\n', 'never shorter in between');
});

t.test('a document that has gone since it was looked at is named', (t) => {
  const folder = temporaryFolder(t);
  const selection = oneFolder(folder);
  const finding: LintFinding = {
    file: 'gone.md',
    line: 1,
    column: 1,
    rule: 'broken-link',
    severity: 'error',
    target: 'b.md',
    message: 'there is no page b.md',
    suggestion: 'c.md',
  };
  t.same(editsOf([finding], selection, folder), {
    files: [],
    left: [
      {
        path: join(folder, 'gone.md'),
        reason: 'it cannot be read: there is no such file in the docs folder',
      },
    ],
  });
  t.end();
});

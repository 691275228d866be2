import t from 'tap';
import { lint } from '../../src/lint/lint.ts';
import type { LintView } from '../../src/lint/view.ts';
import { type Files, viewOf } from './docs.ts';

t.test('a thing that many documents name is looked at once', async (t) => {
  const documents = 40;
  const files: Record<string, string> = {};
  for (let at = 0; at < documents; at += 1) {
    files[`page-${at}.md`] = `# Page ${at}\n\n## Relationships\n\n- An **Order** requires a **Customer**\n`;
  }
  const asked = { outlines: 0, labels: 0 };
  const findings = lint(counting(viewOf(files satisfies Files), asked), {
    rules: { 'orphan-document': 'off' },
    siteRoot: undefined,
    rootName: 'docs',
    roots: [],
    ignores: () => false,
  });
  t.equal(findings.filter(({ rule }) => rule === 'unresolved-entity').length, 2 * documents);
  // Once to lint it, and once for each of the two things that it names.
  t.ok(asked.outlines <= 3 * documents, `${asked.outlines} looks at ${documents} documents`);
  t.ok(asked.labels <= 1, `all labels ${asked.labels} times`);
});

function counting(view: LintView, asked: { outlines: number; labels: number }): LintView {
  return {
    ...view,
    outline(path) {
      asked.outlines += 1;
      return view.outline(path);
    },
    nodeLabels() {
      asked.labels += 1;
      return view.nodeLabels();
    },
  };
}

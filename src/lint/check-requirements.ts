import type { Outline } from '../core/outline.ts';
import type { Docs } from './docs.ts';
import type { RuleFinding } from './finding.ts';

/** Fields and headings that the template of a document requires, and that it does not have. */
export function checkRequirements(docs: Docs, path: string, outline: Outline): RuleFinding[] {
  const requirements = docs.view.requirementsOf(path, outline);
  if (requirements.length === 0) return [];
  const fields = new Set(Object.keys(outline.fields).map((name) => name.toLowerCase()));
  const headings = new Set(outline.sections.map(({ title }) => title.toLowerCase()));
  return requirements.flatMap(({ kind, name, by, severity }): RuleFinding[] => {
    const has = kind === 'field' ? fields : headings;
    if (has.has(name.toLowerCase())) return [];
    const what = kind === 'field' ? 'field' : 'heading';
    return [
      {
        rule: 'missing-field',
        line: 1,
        column: 1,
        target: name,
        ...(severity === undefined ? {} : { severity }),
        message: `${by} requires the ${what} "${name}"`,
      },
    ];
  });
}

import type { Outline } from '../core/outline.ts';
import type { SchemaRules } from '../core/schema-rules.ts';
import { RuleMatcher } from './matching.ts';
import { templatesOf } from './templates.ts';

/** A field of front matter or a heading that a document is to have. */
export interface RequiredPart {
  readonly kind: 'field' | 'heading';
  readonly name: string;
  /** What requires it: `the template "adr"`. */
  readonly by: string;
}

/**
 * What documents are to have by the template of the type that the schema map gives their paths; nothing for others.
 * @throws UserError where the folder of templates cannot be read
 */
export function requirementsBy(
  schema: SchemaRules | undefined,
  templates: string | undefined,
): (path: string, outline: Outline) => readonly RequiredPart[] {
  if (schema === undefined) return () => [];
  const matcher = new RuleMatcher({ rules: schema.rules.filter(({ kind }) => kind === 'document') });
  const parts = new Map(
    Array.from(templatesOf(templates).values(), ({ name, fields, headings }) => {
      const by = `the template "${name}"`;
      const part = (kind: RequiredPart['kind']) => (one: string) => ({ kind, name: one, by });
      return [name.toLowerCase(), [...fields.map(part('field')), ...headings.map(part('heading'))]] as const;
    }),
  );
  return (path, outline) => {
    const [rule] = matcher.rulesFor(path, outline);
    return rule?.kind === 'document' ? (parts.get(rule.type.toLowerCase()) ?? []) : [];
  };
}

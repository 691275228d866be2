import { hash } from 'node:crypto';
import type { Outline } from '../core/outline.ts';
import type { HeadingRule, SchemaRule, SchemaRules } from '../core/schema-rules.ts';
import { FileChoice } from '../source/file-choice.ts';

/** The rules of a map that may say something of a document, by its path and structure alone. */
export class RuleMatcher {
  readonly #rules: readonly MatchedRule[];

  /** @param rootName of the docs root that the documents lie in: paths of rules that begin with it are about that root alone */
  constructor({ rules }: SchemaRules, rootName = '') {
    this.#rules = rules.map((rule) => ({
      rule,
      text: JSON.stringify(rule),
      choice: FileChoice.of({ include: rule.paths, exclude: [] }, rootName),
      matches: rule.kind === 'heading' ? headingTest(rule) : undefined,
    }));
  }

  /** In the order of the map. @param path relative to the docs root that the document lies in */
  rulesFor(path: string, outline: Pick<Outline, 'fields' | 'sections'>): SchemaRule[] {
    return this.#matching(path, outline).map(({ rule }) => rule);
  }

  /** Stands for these rules: a document is to be read anew where it is another than when it was read. Empty where there are none. */
  stampFor(path: string, outline: Pick<Outline, 'fields' | 'sections'>): string {
    const texts = this.#matching(path, outline).map(({ text }) => text);
    return texts.length === 0 ? '' : hash('sha1', texts.join('\n')).slice(0, 16);
  }

  #matching(path: string, outline: Pick<Outline, 'fields' | 'sections'>): MatchedRule[] {
    const fields = new Set(Object.keys(outline.fields).map((key) => key.toLowerCase()));
    return this.#rules.filter(({ rule, choice, matches }) => {
      if (choice !== undefined && !choice.shows(path, 'file')) return false;
      if (rule.kind === 'field') return fields.has(rule.key.toLowerCase());
      return matches === undefined || outline.sections.some((section) => matches(section) !== undefined);
    });
  }
}

interface MatchedRule {
  readonly rule: SchemaRule;
  readonly text: string;
  readonly choice: FileChoice | undefined;
  readonly matches: HeadingTest | undefined;
}

interface Heading {
  readonly title: string;
  readonly level: number;
}

/** The name that a heading gives, or undefined for one that the rule is not about. */
export type HeadingTest = (heading: Heading) => string | undefined;

const MAX_TITLE = 300;

/** Whether a heading is one that a rule is about, in any case and with or without a colon behind. */
export function headingTest({ heading, level }: Pick<HeadingRule, 'heading' | 'level'>): HeadingTest {
  const source = heading
    .split('*')
    .map((part) => part.replace(/[\\^$.|?+()[\]{}]/g, '\\$&').replace(/\s+/g, '\\s+'))
    .join('(.+)');
  const pattern = new RegExp(`^${source}$`, 'iu');
  return (section) => {
    if (level !== undefined && section.level !== level) return undefined;
    const title = section.title.slice(0, MAX_TITLE).trim();
    const match = pattern.exec(title) ?? pattern.exec(title.replace(/\s*:$/, ''));
    return match === null ? undefined : (match[1] ?? title).trim();
  };
}

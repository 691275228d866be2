import { hash } from 'node:crypto';
import type { Outline } from '../core/outline.ts';
import type { HeadingRule, SchemaRule, SchemaRules } from '../core/schema-rules.ts';
import { FileChoice } from '../source/file-choice.ts';
import { foldSpace } from '../text/fold-space.ts';

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

const MAX_TITLE_LENGTH = 300;

/**
 * Whether a heading is one that a rule is about, in any case and with or without a colon behind. Linear in the title, whatever the rule: the file of
 * either may be a stranger's.
 */
export function headingTest({ heading, level }: Pick<HeadingRule, 'heading' | 'level'>): HeadingTest {
  const parts = foldSpace(heading).toLowerCase().split('*');
  return (section) => {
    if (level !== undefined && section.level !== level) return undefined;
    const title = foldSpace(section.title.slice(0, MAX_TITLE_LENGTH));
    return nameIn(title, parts) ?? nameIn(title.replace(/ ?:$/, ''), parts);
  };
}

/** What stands for the first star, or the title where there is none; undefined where the title is another. */
function nameIn(title: string, [first = '', ...rest]: readonly string[]): string | undefined {
  const lower = title.toLowerCase();
  // Of a title that is longer in lower case no part can be cut out.
  const text = lower.length === title.length ? title : lower;
  const last = rest.at(-1);
  if (last === undefined) return lower === first ? title : undefined;
  const middle = rest.length > 1 ? rest[0] : undefined;
  const end = lower.length - last.length;
  if (!lower.startsWith(first) || !lower.endsWith(last)) return undefined;
  const until = middle === undefined ? end : lower.lastIndexOf(middle, end - middle.length - 1);
  return until > first.length ? text.slice(first.length, until).trim() || undefined : undefined;
}

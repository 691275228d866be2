import { hash } from 'node:crypto';
import type { Outline } from '../core/outline.ts';
import type { HeadingRule, SchemaRule, SchemaRules } from '../core/schema-rules.ts';
import { FileChoice } from '../source/file-choice.ts';
import { foldSpace } from '../text/fold-space.ts';

/** Finds the rules of a map that may apply to a document, by its path and structure alone. */
export class RuleMatcher {
  readonly #rules: readonly MatchedRule[];

  /** @param rootName the name of the docs root in which the documents lie: rules whose paths begin with it are about that root alone */
  constructor({ rules }: SchemaRules, rootName = '') {
    this.#rules = rules.map((rule) => ({
      rule,
      text: JSON.stringify(rule),
      choice: FileChoice.of({ include: rule.paths, exclude: [] }, rootName),
      matches: rule.kind === 'heading' ? headingTest(rule) : undefined,
    }));
  }

  /** The rules in the order of the map. @param path relative to the docs root in which the document lies */
  rulesFor(path: string, outline: Pick<Outline, 'fields' | 'sections'>): SchemaRule[] {
    return this.#matching(path, outline).map(({ rule }) => rule);
  }

  /** A stamp of these rules; empty if there are none. A document has to be read again if the stamp differs from the one at the time it was read. */
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

/** Returns the name that a heading gives; undefined if the rule is not about that heading. */
export type HeadingTest = (heading: Heading) => string | undefined;

const MAX_TITLE_LENGTH = 300;

/**
 * Tests whether a rule is about a heading, ignoring case and a colon at the end. It takes linear time in the title, whatever the rule: the rule's file and the
 * document may both come from a stranger.
 */
export function headingTest({ heading, level }: Pick<HeadingRule, 'heading' | 'level'>): HeadingTest {
  const parts = foldSpace(heading).toLowerCase().split('*');
  return (section) => {
    if (level !== undefined && section.level !== level) return undefined;
    const title = foldSpace(section.title.slice(0, MAX_TITLE_LENGTH));
    return nameIn(title, parts) ?? nameIn(title.replace(/ ?:$/, ''), parts);
  };
}

/** The text in place of the first star, or the title if there is no star; undefined if the title does not match. */
function nameIn(title: string, [first = '', ...rest]: readonly string[]): string | undefined {
  const lower = title.toLowerCase();
  // If the title gets longer in lower case, positions differ, so no part can be cut out of the original.
  const text = lower.length === title.length ? title : lower;
  const last = rest.at(-1);
  if (last === undefined) return lower === first ? title : undefined;
  const middle = rest.length > 1 ? rest[0] : undefined;
  const end = lower.length - last.length;
  if (!lower.startsWith(first) || !lower.endsWith(last)) return undefined;
  const until = middle === undefined ? end : lower.lastIndexOf(middle, end - middle.length - 1);
  return until > first.length ? text.slice(first.length, until).trim() || undefined : undefined;
}

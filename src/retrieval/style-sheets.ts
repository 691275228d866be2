import type { FoundPassage } from '../store/passages.ts';
import { isIdentifier } from '../words/identifiers.ts';
import type { Concept } from './concepts.ts';

/**
 * The keywords of style sheets are words of English (`none`, `content`, `hidden`), which are rare in prose about the same thing. So a style sheet gets this
 * weight, unless the question is about styles or about something in code. Measured, as in docs/decisions.md.
 */
const WEIGHT = 0.3;

/** The identifier in the terms of such a file's title: `theme.css`. */
const STYLE_SHEET = /(?:^| )\S+·(?:css|scss|sass|less|styl)(?: |$)/;
/** Terms of questions about how something looks. */
const ASKS_FOR_STYLES = /^(?:css|scss|sass|less|styl|style|stylesheet|theme|color|colour|font)$/;

/** The weight of a passage for a question. Only a file that is no markdown has neither headings nor another title than its name. */
export function weightByStyle(
  asked: readonly Concept[],
): (passage: Pick<FoundPassage, 'titleTerms' | 'headings'>) => number {
  if (asked.some(({ term }) => ASKS_FOR_STYLES.test(term) || isIdentifier(term))) return () => 1;
  return ({ titleTerms, headings }) => (headings === '' && STYLE_SHEET.test(titleTerms) ? WEIGHT : 1);
}

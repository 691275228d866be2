import type { FoundPassage } from '../store/passages.ts';
import { isIdentifier } from '../words/identifiers.ts';
import type { Concept } from './concepts.ts';
import type { Corpus } from './corpus.ts';

/**
 * A page about a release, or about all of them, names everything and explains nothing. So it gets this weight, unless the question asks for changes.
 * Measured, as in docs/decisions.md.
 */
const WEIGHT = 0.5;

/** The terms of such titles: "Changelog", "Change Log", "Release Notes of the client". */
const LOG_TITLE = /(?:^| )(?:changelog|chang log|releas note)(?: |$)/;
const MONTH =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)';
/** `2031-05-02`, `2031`, `May 2, 2031`, `2 May 2031`, and words that are used if there is no day yet. */
const RELEASE_DAY = `(?:(?:\\d{4}[-./]\\d|${MONTH}\\.? \\d{1,2}\\b|\\d{1,2} ${MONTH}\\b)[^›]*|(?:\\d{4}|unreleased|latest)\\)?)`;
/** A heading that is only a version, with its day: `5.0.21`, `[v1.2.0] - 2031-05-02`, `Version 1.2.0 (May 2, 2031)`. Titles have single spaces. */
const RELEASE_HEADING = new RegExp(
  `(?:^| › )\\[?(?:(?:version|release) )?[a-z]{0,2}\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}(?:[-+]\\w[\\w.]*)?\\]?(?: ?[(:—–-]? ?${RELEASE_DAY})?(?: ›|$)`,
  'i',
);
const WORDS_OF_RELEASES: ReadonlySet<string> = new Set('version releas upgrad chang note histori'.split(' '));
/** Terms of questions about changes in time: "since when", "which version", "was added". */
const ASKS_FOR_CHANGES =
  /^(?:chang|changelog|version|releas|upgrad|migrat|new|newer|newest|news|latest|recent\w*|sinc|introduc|deprec|histori|ad|v?\d+)$/;

/** The weight of a passage for a question, by the title of its page and the headings above it. A memory with such a name is not a log. */
export function weightByTitle(
  asked: readonly Concept[],
): (corpus: Pick<Corpus, 'name'>, passage: Pick<FoundPassage, 'titleTerms' | 'headings'>) => number {
  if (asked.some(({ term }) => ASKS_FOR_CHANGES.test(term))) return () => 1;
  return ({ name }, { titleTerms, headings }) =>
    name === 'docs' && (isOfReleases(titleTerms) || RELEASE_HEADING.test(headings)) ? WEIGHT : 1;
}

function isOfReleases(titleTerms: string): boolean {
  return LOG_TITLE.test(titleTerms) || isVersion(titleTerms.split(' ').filter((term) => !isIdentifier(term)));
}

/** "Release 2.1", "v2.4 to 2.5", "1.20.3", but not a day or a status code. */
function isVersion(terms: readonly string[]): boolean {
  const numbers = terms.filter((term) => /^v?\d{1,3}$/.test(term));
  const words = terms.filter((term) => WORDS_OF_RELEASES.has(term));
  if (numbers.length === 0 || numbers.length + words.length < terms.length) return false;
  return words.length > 0 || numbers.length > 2 || numbers.some((term) => term.startsWith('v'));
}

import type { Concept } from './concepts.ts';
import type { Corpus } from './corpus.ts';

/**
 * What tells of a release, or of all of them, names each thing that there is and explains none: it counts less, unless that is what is asked for.
 * Measured, as in docs/decisions.md.
 */
const WEIGHT = 0.5;

/** Titles as terms: "Changelog", "Change Log", "Release Notes of the client". */
const LOG_TITLE = /(?:^| )(?:changelog|chang log|releas note)(?: |$)/;
const WORDS_OF_RELEASES: ReadonlySet<string> = new Set('version releas upgrad chang note histori'.split(' '));
/** Terms of questions about what was when: "since when", "which version", "was added". */
const ASKS_FOR_CHANGES =
  /^(?:chang|changelog|version|releas|upgrad|migrat|new|newer|newest|news|latest|recent\w*|sinc|introduc|deprec|histori|ad|v?\d+)$/;

/** How much passages of a page count for a question, by the terms of the page's title. What is called so in a memory is no log. */
export function weightByTitle(
  asked: readonly Concept[],
): (corpus: Pick<Corpus, 'name'>, titleTerms: string) => number {
  if (asked.some(({ term }) => ASKS_FOR_CHANGES.test(term))) return () => 1;
  return ({ name }, titleTerms) => (name === 'docs' && isOfReleases(titleTerms) ? WEIGHT : 1);
}

function isOfReleases(titleTerms: string): boolean {
  return LOG_TITLE.test(titleTerms) || isVersion(titleTerms.split(' '));
}

/** "Release 2.1", "v2.4 to 2.5", "1.20.3"; a day or a status code is none. */
function isVersion(terms: readonly string[]): boolean {
  const numbers = terms.filter((term) => /^v?\d{1,3}$/.test(term));
  const words = terms.filter((term) => WORDS_OF_RELEASES.has(term));
  if (numbers.length === 0 || numbers.length + words.length < terms.length) return false;
  return words.length > 0 || numbers.length > 2 || numbers.some((term) => term.startsWith('v'));
}

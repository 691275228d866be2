/** Terms in the form in which they are counted and stored. */
import { isIdentifier } from './identifiers.ts';

/** The terms of a text. */
export interface CountedTerms {
  /** The terms in the order of the text, separated by spaces. */
  readonly terms: string;
  /** Each term once, separated by spaces; `term:n` for a term that occurs `n` > 1 times. */
  readonly bag: string;
  /** The number of terms without identifiers, which are there in addition to their words. */
  readonly length: number;
}

const NO_TERMS: CountedTerms = { terms: '', bag: '', length: 0 };

export function countedTerms(list: readonly string[]): CountedTerms {
  if (list.length === 0) return NO_TERMS;
  const counts = new Map<string, number>();
  for (const term of list) counts.set(term, (counts.get(term) ?? 0) + 1);
  let bag = '';
  for (const [term, count] of counts) bag += count === 1 ? ` ${term}` : ` ${term}:${count}`;
  return {
    terms: list.join(' '),
    bag: bag.slice(1),
    length: list.filter((term) => !isIdentifier(term)).length,
  };
}

/** How often each term of a bag occurs in its text. */
export function countsIn(bag: string): Map<string, number> {
  const counts = new Map<string, number>();
  if (bag === '') return counts;
  for (const entry of bag.split(' ')) {
    const colon = entry.indexOf(':');
    if (colon === -1) counts.set(entry, 1);
    else counts.set(entry.slice(0, colon), Number(entry.slice(colon + 1)));
  }
  return counts;
}

import { BETWEEN_HEADINGS } from '../core/headings.ts';
import type { FoundPassage } from '../store/passages.ts';
import type { Corpus } from './corpus.ts';

/**
 * A section that pages of so many titles have just so, such as the options that every command inherits, explains none of them. Pages of one title are
 * versions of one another, and what stands below no other heading than the title is what a page has to say itself. Measured, as in docs/decisions.md.
 */
const TITLES = 3;
const WEIGHT = 0.5;
/** In terms. Shorter text is the same by chance. */
const MIN_LENGTH = 8;

interface Read {
  readonly corpus: Pick<Corpus, 'name'>;
  readonly passage: Pick<FoundPassage, 'bodyBag' | 'bodyLength' | 'headings' | 'titleTerms'>;
}

/** The weight of each of these passages, judging by the others among them. */
export function weightByRepetition(
  passages: readonly Read[],
): (passage: Pick<FoundPassage, 'bodyBag'>) => number {
  const titles = new Map<string, Set<string>>();
  for (const { corpus, passage } of passages) {
    if (
      corpus.name !== 'docs' ||
      !passage.headings.includes(BETWEEN_HEADINGS) ||
      passage.bodyLength < MIN_LENGTH
    )
      continue;
    const known = titles.get(passage.bodyBag);
    if (known === undefined) titles.set(passage.bodyBag, new Set([passage.titleTerms]));
    else known.add(passage.titleTerms);
  }
  return ({ bodyBag }) => ((titles.get(bodyBag)?.size ?? 0) < TITLES ? 1 : WEIGHT);
}

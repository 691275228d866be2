import { BETWEEN_HEADINGS } from '../core/headings.ts';
import type { FoundPassage } from '../store/passages.ts';
import { termsOf } from '../words/tokens.ts';
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
): (passage: Pick<FoundPassage, 'bodyBag' | 'headings'>) => number {
  const titles = new Map<string, Set<string>>();
  for (const { corpus, passage } of passages) {
    if (corpus.name !== 'docs' || passage.bodyLength < MIN_LENGTH || !isInSection(passage)) continue;
    const text = textOf(passage);
    const known = titles.get(text);
    if (known === undefined) titles.set(text, new Set([passage.titleTerms]));
    else known.add(passage.titleTerms);
  }
  const isRepeated = (text: string) => (titles.get(text)?.size ?? 0) >= TITLES;
  return (passage) => (isRepeated(passage.bodyBag) || isRepeated(textOf(passage)) ? WEIGHT : 1);
}

/** Whether a passage stands below a heading other than the title, which a page may have as its outermost heading or in front matter alone. */
function isInSection(passage: Pick<FoundPassage, 'headings' | 'titleTerms'>): boolean {
  if (isNested(passage)) return true;
  const ofTitle = new Set(passage.titleTerms.split(' '));
  return termsOf(passage.headings).some((term) => !ofTitle.has(term));
}

function isNested({ headings }: Pick<FoundPassage, 'headings'>): boolean {
  return headings.includes(BETWEEN_HEADINGS);
}

/** Below a single heading a text is only the same if the heading is, too: front matter may have another title than the heading of the whole page. */
function textOf(passage: Pick<FoundPassage, 'headings' | 'bodyBag'>): string {
  return isNested(passage) ? passage.bodyBag : `${passage.headings}\n${passage.bodyBag}`;
}

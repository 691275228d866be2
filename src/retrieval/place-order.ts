import type { FoundPassage } from '../store/passages.ts';
import type { Corpus } from './corpus.ts';

/** Orders equal hits by store, path and position in the text. Ids would depend on the order in which the docs were added. */
export function comparePlaces(a: Placed, b: Placed): number {
  return compareCorpora(a.corpus, b.corpus) || placeOf(a) - placeOf(b);
}

/** Sorts the best source first, and equal ones as {@link comparePlaces}. */
export function byScoreAndPlace(a: ScoredSource, b: ScoredSource): number {
  return b.score - a.score || compareCorpora(a.corpus, b.corpus) || placeOfSource(a) - placeOfSource(b);
}

export interface Placed {
  readonly corpus: Corpus;
  readonly passage: Pick<FoundPassage, 'id'>;
}

export interface PlacedSource {
  readonly corpus: Corpus;
  readonly sourceId: number;
}

export interface ScoredSource extends PlacedSource {
  readonly score: number;
}

export function placeOf({ corpus, passage }: Placed): number {
  return corpus.places()[passage.id] ?? 0;
}

function placeOfSource({ corpus, sourceId }: PlacedSource): number {
  return corpus.sourcePlaces()[sourceId] ?? 0;
}

function compareCorpora(a: Corpus, b: Corpus): number {
  if (a.name === b.name) return 0;
  return a.name < b.name ? -1 : 1;
}

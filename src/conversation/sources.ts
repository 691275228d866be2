import { citedPlaces } from './cited-places.ts';
import { citationText } from './place.ts';
import type { ShownPlaces } from './shown-places.ts';

/** Where an answer says that it stands. */
export interface Sources {
  /** Places that it cites and that were shown; where it cites none, those that were shown. In their order, each once. */
  readonly sources: readonly string[];
  /** Places that it cites and nobody showed. */
  readonly unshown: readonly string[];
}

/** Where an answer cites nothing, so many of the places that were shown are told. */
const MAX_SHOWN = 20;

/** What an answer cites, held against what was shown: for this question, and in the whole conversation. */
export function sourcesOf(
  answer: string,
  { now, ever }: { readonly now: ShownPlaces; readonly ever: ShownPlaces },
): Sources {
  const cited = citedPlaces(answer);
  const found = cited.map((place) => ({ place, there: ever.shown(place) }));
  const sources = found.flatMap(({ there }) => (there === undefined ? [] : [citationText(there)]));
  const unshown = found.flatMap(({ place, there }) => (there === undefined ? [citationText(place)] : []));
  return {
    sources: cited.length === 0 ? now.list().slice(0, MAX_SHOWN) : unique(sources),
    unshown: unique(unshown),
  };
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}

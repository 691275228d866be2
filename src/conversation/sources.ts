import { citedPlaces } from './cited-places.ts';
import { citationText } from './place.ts';
import type { ShownPlaces } from './shown-places.ts';

/** The places that an answer is based on. */
export interface Sources {
  /** Places that it cites and that were shown. If it cites none, those that were shown. In order, each once. */
  readonly sources: readonly string[];
  /** Places that it cites and that were not shown. */
  readonly unshown: readonly string[];
}

/** How many of the shown places are listed if an answer cites none. */
const MAX_SHOWN = 20;

/** Compares what an answer cites with what was shown, for this question and in the whole conversation. */
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

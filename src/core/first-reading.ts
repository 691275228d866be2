import { withCommas } from '../text/with-commas.ts';

/** How many documents have been read so far, while all are read for the first time; undefined once that is done. */
export type ReadSoFar = () => number | undefined;

/** What to say if nothing is found during that time, since it is no answer yet. */
export function firstReadingText(documents: number): string {
  return `the docs are being read for the first time, ${withCommas(documents)} so far: ask again in a moment`;
}

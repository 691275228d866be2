import { withCommas } from '../text/with-commas.ts';

/** How many documents were read so far where all are being read for the first time; undefined once all have been. */
export type ReadSoFar = () => number | undefined;

/** What is said where nothing was found meanwhile, which is no answer yet. */
export function firstReadingText(documents: number): string {
  return `the docs are being read for the first time, ${withCommas(documents)} so far: ask again in a moment`;
}

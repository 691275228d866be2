/** How many tokens a document may have, so that reading it takes no more memory than there is: V8 ends a thread, or the whole process, that needs more. */
import { getHeapStatistics } from 'node:v8';

const MEBIBYTE = 1024 * 1024;
/** What a token takes until all is read that follows from it, at most: paragraphs of a letter take 340 bytes, headings and links 430. Measured. */
const TOKEN_BYTES = 512;
/** What a line takes that has no token: the parser keeps five numbers of each, in arrays that grow by half. */
const LINE_BYTES = 128;

/** A document has more tokens than there is memory for. */
export class TooManyTokens extends Error {
  override readonly name = 'TooManyTokens';
}

/** Of the document that is being parsed; parsing is synchronous. */
let left = Number.POSITIVE_INFINITY;

/**
 * Begins to count the tokens of a document.
 * @param heapBytes as much memory as V8 may take in this thread
 * @throws TooManyTokens where its lines alone are too many
 */
export function countTokens(text: string, heapBytes = getHeapStatistics().heap_size_limit): void {
  left = Math.floor((heapBytes - lineCount(text) * LINE_BYTES) / TOKEN_BYTES);
  if (left < 0) throw new TooManyTokens(whyRefused());
}

/** Counts one more. @throws TooManyTokens */
export function countToken(): void {
  left -= 1;
  if (left < 0) throw new TooManyTokens(whyRefused());
}

function lineCount(text: string): number {
  let count = 1;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

function whyRefused(): string {
  const heapBytes = getHeapStatistics().heap_size_limit;
  return `it has too many paragraphs, items, cells or lines for the ${Math.floor(heapBytes / MEBIBYTE)} MiB of memory that this program may use for it; split it into several documents`;
}

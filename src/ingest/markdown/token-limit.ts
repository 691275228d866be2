/** Limits the tokens of a document, so that reading it does not take more memory than there is: V8 ends a thread, or the whole process, that needs more. */
import { getHeapStatistics } from 'node:v8';

const MEBIBYTE = 1024 * 1024;
/**
 * The most memory that a token takes until everything that follows from it is read. Measured: paragraphs of one letter take 340 bytes, headings and links 430.
 */
const TOKEN_BYTES = 512;
/** The memory of a line without tokens: the parser keeps five numbers for each line, in arrays that grow by half. */
const LINE_BYTES = 128;

/** A document has more tokens than there is memory for. */
export class TooManyTokens extends Error {
  override readonly name = 'TooManyTokens';
}

/** How many more tokens the document that is being parsed may have. Parsing is synchronous. */
let left = Number.POSITIVE_INFINITY;

/**
 * Starts to count the tokens of a document.
 * @param heapBytes the most memory that V8 may take in this thread
 * @throws TooManyTokens if its lines alone are too many
 */
export function countTokens(text: string, heapBytes = getHeapStatistics().heap_size_limit): void {
  left = Math.floor((heapBytes - lineCount(text) * LINE_BYTES) / TOKEN_BYTES);
  if (left < 0) throw new TooManyTokens(whyRefused());
}

/** Counts one more token. @throws TooManyTokens */
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

import { getHeapStatistics } from 'node:v8';
import type { PlannedRequest } from './index-plan.ts';
import type { ReadOutcome } from './read-document.ts';
import type { Readers } from './readers.ts';

/** The first batches are small, so that something is visible soon; later ones grow, for speed. */
const FIRST_BATCH = 64;
const LARGEST_BATCH = 1024;
/**
 * The share of the heap that the text of a batch may take. What is read from a text takes up to twenty times its size (with short sections, each of which names
 * a thing), and three batches exist at the same time: one is being written while the next is being read, and the one before was not collected as garbage yet.
 */
const BATCH_SHARE = 1 / 256;

/** Reads in batches. While one batch is written, the next one is being read. Once the signal is aborted, no further batch is begun. */
export async function* readAhead(
  readers: Readers,
  requests: readonly PlannedRequest[],
  signal: AbortSignal | undefined,
): AsyncGenerator<readonly ReadOutcome[], void> {
  const batches = documentBatches(requests);
  let next = read(batches, readers);
  while (next !== undefined) {
    const outcomes = await next;
    next = signal?.aborted ? undefined : read(batches, readers);
    yield outcomes;
  }
}

function read(
  batches: Iterator<readonly PlannedRequest[], void>,
  readers: Readers,
): Promise<readonly ReadOutcome[]> | undefined {
  const { done, value } = batches.next();
  return done ? undefined : readers.read(value);
}

/** Splits requests into batches, in their order, each with at least one document. @param heapBytes the most memory that V8 may take in this thread */
export function* documentBatches(
  requests: readonly PlannedRequest[],
  heapBytes = getHeapStatistics().heap_size_limit,
): Generator<readonly PlannedRequest[], void> {
  const maxBytes = heapBytes * BATCH_SHARE;
  let maxDocuments = FIRST_BATCH;
  for (let start = 0; start < requests.length; ) {
    let end = start;
    let bytes = 0;
    do {
      bytes += requests[end]?.sizeBytes ?? 0;
      end += 1;
    } while (
      end - start < maxDocuments &&
      end < requests.length &&
      bytes + (requests[end]?.sizeBytes ?? 0) <= maxBytes
    );
    yield requests.slice(start, end);
    start = end;
    maxDocuments = Math.min(maxDocuments * 4, LARGEST_BATCH);
  }
}

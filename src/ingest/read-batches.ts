import { getHeapStatistics } from 'node:v8';
import type { PlannedRequest } from './index-plan.ts';
import type { ReadOutcome } from './read-document.ts';
import type { Readers } from './readers.ts';

/** The first batches are small, so that something is there to see at once; later ones grow, for speed. */
const FIRST_BATCH = 64;
const LARGEST_BATCH = 1024;
/**
 * How much of the heap the text of a batch is at most. What is read of a text takes up to twenty times as much as it (short sections, each of which
 * names a thing), and three batches are there at once: one is written while the next is being read, and what was written is not collected yet.
 */
const BATCH_SHARE = 1 / 256;

/** Reads in batches: while one is written, the next is being read. Once the signal is aborted, none is begun any more. */
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

/** In their order, each of one document at least. @param heapBytes as much memory as V8 may take in this thread */
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

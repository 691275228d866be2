import t from 'tap';
import { documentBatches } from '../../src/ingest/read-batches.ts';

const MEBIBYTE = 1024 * 1024;
const HEAP_BYTES = 256 * MEBIBYTE;

/** How many documents each batch has. */
function sizes(documents: readonly number[]): number[] {
  const requests = documents.map((sizeBytes, index) => ({ path: `${index}.md`, sizeBytes }));
  const batches = [...documentBatches(requests, HEAP_BYTES)];
  t.same(batches.flat(), requests, 'each in one batch, in their order');
  return batches.map(({ length }) => length);
}

t.test('batches grow, and end with a part of the memory that there is', async (t) => {
  t.same(sizes([]), []);
  t.same(sizes(Array<number>(3000).fill(10)), [64, 256, 1024, 1024, 632]);
  t.same(sizes(Array<number>(10).fill(MEBIBYTE / 4)), [4, 4, 2]);
  t.same(sizes([8 * MEBIBYTE, 8 * MEBIBYTE, 1, 1, MEBIBYTE]), [1, 1, 2, 1], 'one that is larger comes alone');
});

import t from 'tap';
import { documentBatches, readAhead } from '../../src/ingest/read-batches.ts';

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

t.test(
  'while one batch is written the next is being read, and none is begun once it is enough',
  async (t) => {
    const begun: string[] = [];
    const read = async (requests: readonly { readonly path: string }[]) => {
      begun.push(requests[0]?.path ?? '');
      return [];
    };
    const requests = Array.from({ length: 400 }, (_, index) => ({ path: `${index}.md`, sizeBytes: 1 }));
    const enough = new AbortController();
    const batches = readAhead({ read, close: async () => {} }, requests, enough.signal);
    await batches.next();
    t.same(begun, ['0.md', '64.md']);
    enough.abort();
    t.notOk((await batches.next()).done, 'what was read is written');
    t.ok((await batches.next()).done);
    t.same(begun, ['0.md', '64.md']);
    t.ok((await readAhead({ read, close: async () => {} }, [], undefined).next()).done, 'nothing to read');
  },
);

import t from 'tap';
import { threadsFor } from '../../src/ingest/readers.ts';

const MEBIBYTE = 2 ** 20;

t.test('a container with many cores and little memory has few readers', async (t) => {
  t.equal(threadsFor(16, 200 * MEBIBYTE), 0, 'the thread that writes reads as well');
  t.equal(threadsFor(16, 300 * MEBIBYTE), 1);
  t.equal(threadsFor(16, 512 * MEBIBYTE), 2);
  t.equal(threadsFor(16, 2 ** 34), 4);
  t.equal(threadsFor(2, 2 ** 34), 2);
  t.equal(threadsFor(1, 2 ** 34), 1);
});

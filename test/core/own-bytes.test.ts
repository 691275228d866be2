import t from 'tap';
import { ownBytes } from '../../src/core/own-bytes.ts';

t.test('bytes that are kept keep no others', async (t) => {
  for (const text of ['', 'a', 'Gebühr\n', '\ud800', 'x'.repeat(5000)]) {
    const bytes = ownBytes(text);
    t.equal(bytes.buffer.byteLength, bytes.length);
    t.ok(Buffer.from(text).equals(bytes));
  }
});

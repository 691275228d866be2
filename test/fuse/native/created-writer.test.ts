import t from 'tap';
import { CreatedWriter } from '../../../src/fuse/native/created-writer.ts';

t.test('writes one behind the other have their places', async (t) => {
  const writer = new CreatedWriter();
  t.equal(writer.wayOf(0, 3, 0), 'as opened');
  t.equal(writer.wayOf(3, 3, 3), 'as opened');
  t.equal(writer.wayOf(0, 3, 6), 'as opened');
  t.equal(writer.wayOf(100, 3, 6), 'as opened');
});

t.test('a write where the file ended when the kernel was last told goes to the end', async (t) => {
  const writer = new CreatedWriter();
  t.equal(writer.wayOf(0, 3, 0), 'as opened');
  t.equal(writer.wayOf(10, 3, 10), 'at the end');
  // The kernel has taken the first one for its new end.
  t.equal(writer.wayOf(13, 3, 99), 'at the end');
  t.equal(writer.wayOf(0, 3, 99), 'as opened', 'whoever seeks does not append');
  t.equal(writer.wayOf(3, 3, 99), 'as opened');
});

t.test('so does one where another file of the name ended', async (t) => {
  const writer = new CreatedWriter();
  t.equal(writer.wayOf(0, 3, 0), 'as opened');
  for (let sizeBytes = 10; sizeBytes <= 74; sizeBytes += 1) writer.sawOther(sizeBytes);
  t.equal(writer.wayOf(74, 3, 3), 'at the end');
  t.equal(writer.wayOf(10, 3, 3), 'as opened', 'only the latest sizes are kept');
});

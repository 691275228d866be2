import t from 'tap';
import { CreatedWriter } from '../../../src/fuse/native/created-writer.ts';

/** A writer whose first three bytes are where they belong. */
function begun(): CreatedWriter {
  const writer = new CreatedWriter();
  writer.wayOf(0, 3, 0);
  writer.wrote(3);
  return writer;
}

t.test('writes one behind the other are where the file ended', async (t) => {
  const writer = begun();
  t.equal(writer.wayOf(3, 3, 3), 'where it ended');
  writer.wrote(6);
  t.equal(writer.wayOf(6, 3, 6), 'where it ended');
  writer.wrote(9);
  t.equal(writer.wayOf(9, 3, 20), 'as opened', 'the kernel knows that the file is longer');
  t.equal(writer.wayOf(0, 3, 20), 'as opened');
  t.equal(writer.wayOf(100, 3, 20), 'as opened');
});

t.test('a write where the file ended when the kernel was last told goes to the end', async (t) => {
  const writer = begun();
  t.equal(writer.wayOf(10, 3, 10), 'at the end');
  t.equal(writer.wayOf(13, 3, 99), 'at the end', 'the kernel has taken the first one for its new end');
  t.equal(writer.wayOf(0, 3, 99), 'as opened', 'whoever seeks does not append');
  t.equal(writer.wayOf(3, 3, 99), 'as opened');
});

t.test('so does one where another file of the name ended', async (t) => {
  const writer = begun();
  for (let sizeBytes = 10; sizeBytes <= 74; sizeBytes += 1) writer.sawOther(sizeBytes);
  t.equal(writer.wayOf(74, 3, 3), 'at the end');
  t.equal(writer.wayOf(10, 3, 3), 'as opened', 'only the latest sizes are kept');
});

t.test('so do those behind one that was found to go elsewhere', async (t) => {
  const writer = begun();
  t.equal(writer.wayOf(3, 3, 3), 'where it ended');
  writer.wrote(30);
  t.equal(writer.wayOf(6, 3, 30), 'at the end');
});

t.test('who writes on where the kernel knows that the file does not end does not append', async (t) => {
  const writer = begun();
  writer.wayOf(10, 3, 10);
  writer.sawEnd(13);
  t.equal(writer.wayOf(13, 3, 13), 'at the end');
  writer.sawEnd(99);
  t.equal(writer.wayOf(16, 3, 99), 'as opened');
  writer.wayOf(99, 3, 99);
  writer.sawEnd(110);
  t.equal(writer.wayOf(110, 3, 110), 'at the end', 'who appends goes on where it ends now');
});

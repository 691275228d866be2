import t from 'tap';
import type { WritableFile, WriteWay } from '../../../src/core/changes.ts';
import { fileInfo } from '../../../src/core/node-info.ts';
import { parsePath } from '../../../src/core/paths.ts';
import { KernelView } from '../../../src/fuse/native/kernel-view.ts';
import { OpenFiles } from '../../../src/fuse/native/open-files.ts';
import { writeTo } from '../../../src/fuse/native/write-operations.ts';

const PATH = parsePath('/context/memory/fact/log');

/** A file whose size is said by the test, and that notes how it is written. */
function subject() {
  const ways: (WriteWay | undefined)[] = [];
  let sizeBytes = 0;
  const file: WritableFile = {
    get sizeBytes() {
      return sizeBytes;
    },
    stat: () => fileInfo(sizeBytes, 1n),
    read: () => 0,
    write(bytes, _position, _context, way) {
      ways.push(way);
      return bytes.byteLength;
    },
    truncate() {},
    flush() {},
    async sync() {},
    close() {},
  };
  const served = { files: new OpenFiles(), view: new KernelView(), invalidateNow() {} };
  const opened = served.files.get(served.files.addCreated(PATH, file), PATH);
  return {
    ...{ served, ways },
    put(text: string, position: number, sizeAfterBytes: number) {
      sizeBytes = sizeAfterBytes;
      return writeTo(served, opened, file, Buffer.from(text), position, {});
    },
  };
}

t.test(
  'who was found to append goes on to, though the kernel passes over a size that it is told',
  async (t) => {
    const { served, ways, put } = subject();
    served.view.tell(PATH, 0, served.view.generation);
    t.equal(put('one', 0, 3), 3);
    t.equal(served.view.toldSizeBytes(PATH), 3);
    put('two', 3, 30);
    t.equal(served.view.toldSizeBytes(PATH), 6, 'it has put these bytes behind the first ones');
    served.view.tell(PATH, 30, served.view.generation);
    put('four', 6, 34);
    t.same(ways, ['where it ended', 'where it ended', 'at the end']);
  },
);

import t from 'tap';
import { fileInfo } from '../../src/core/node-info.ts';
import { WrittenFile } from '../../src/modules/written-file.ts';

t.test('a file of a module that is appended to can be written to in place', async (t) => {
  const committed: string[] = [];
  const file = new WrittenFile(
    Buffer.from('content'),
    true,
    (sizeBytes) => fileInfo(sizeBytes, 1n),
    async (content) => {
      committed.push(Buffer.from(content).toString());
    },
  );
  file.write(Buffer.from('C'), 0, {}, 'mapped');
  file.write(Buffer.from('!'), 0);
  await file.flush();
  t.same(committed, ['Content!']);
});

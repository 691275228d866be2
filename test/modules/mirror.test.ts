import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { fileInfo } from '../../src/core/node-info.ts';
import { fileOfBytes } from '../../src/core/open-file.ts';
import { Mirror } from '../../src/modules/mirror.ts';
import { temporaryFolder } from '../support/temporary.ts';

const MEBIBYTE = 1 << 20;

t.test('of a module with more text than is searched it is told where that ends', async (t) => {
  const names = Array.from({ length: 130 }, (_, index) => `${index}.md`);
  const told: string[] = [];
  const folder = join(temporaryFolder(t), 'state/big/texts');
  const mirror = new Mirror(
    {
      tree: {
        list: () => names.map((name) => ({ name, kind: 'file' as const })),
        stat: () => fileInfo(2 * MEBIBYTE, 0n, '1'),
        open: () => fileOfBytes(Buffer.from('text')),
      },
      revision: async () => '1',
      onLeftOut: (message) => told.push(message),
    },
    folder,
  );
  t.equal((await mirror.update()).length, 128);
  t.equal(readdirSync(folder).length, 128);
  t.same(told, [
    'of its texts, up to 20,000 files and 256 MiB are searched: not 128.md, nor what comes after it',
  ]);
  names.length = 128;
  t.same(await mirror.update(), [], 'the same revision is not read again');
  t.equal(told.length, 1);
});

import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import t from 'tap';
import { fileInfo } from '../../src/core/node-info.ts';
import { fileOfBytes } from '../../src/core/open-file.ts';
import { Mirror } from '../../src/modules/mirror.ts';
import { textsFolder } from '../../src/modules/module-folders.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { openModules } from './opened.ts';

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
      askAnew: () => {},
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

/** Shows a file beside it, whose text is the revision as well. */
const BESIDE = `
import { readFileSync } from 'node:fs';
const text = () => readFileSync(new URL('beside.txt', import.meta.url), 'utf8');
export const resolver = () => ({
  at: ([name]) =>
    name === undefined ? { folder: ['a.md'] } : name === 'a.md' ? { file: text() } : undefined,
  revision: async () => text(),
});
`;

t.test('what somebody read just before a module changed is not kept as its text of now', async (t) => {
  const { modules, read, folder } = openModules(t, {
    modules: { beside: { module: './beside.mjs', search: true } },
    files: { 'beside.mjs': BESIDE, 'beside.txt': 'first' },
  });
  const kept = () => readFileSync(join(textsFolder(join(folder, 'state'), 'beside'), 'a.md'), 'utf8');
  t.same(await modules.mirror(), ['/modules/beside/a.md']);
  t.equal(await read('/beside/a.md'), 'first');
  writeFileSync(join(folder, 'beside.txt'), 'second');
  t.same(await modules.mirror(), ['/modules/beside/a.md']);
  t.equal(kept(), 'second');
});

t.test(
  'of two that bring the texts up to date at once neither keeps what the other has replaced',
  async (t) => {
    const folder = join(temporaryFolder(t), 'state/slow/texts');
    let text = 'first';
    let reads = 0;
    const began = new AbortController();
    const answer = new AbortController();
    const mirror = new Mirror(
      {
        tree: {
          list: () => [{ name: 'a.md', kind: 'file' }],
          stat: () => fileInfo(text.length, 0n, text),
          async open() {
            const opened = fileOfBytes(Buffer.from(text));
            reads += 1;
            if (reads > 1) return opened;
            began.abort();
            await once(answer.signal, 'abort');
            return opened;
          },
        },
        revision: async () => text,
        askAnew: () => {},
        onLeftOut: () => {},
      },
      folder,
    );
    const first = mirror.update();
    if (!began.signal.aborted) await once(began.signal, 'abort');
    text = 'second';
    const second = mirror.update();
    // As far as it goes by itself.
    for (let turns = 0; turns < 10; turns += 1) await setImmediate();
    answer.abort();
    await Promise.all([first, second]);
    t.equal(readFileSync(join(folder, 'a.md'), 'utf8'), 'second');
    t.same(await mirror.update(), []);
  },
);

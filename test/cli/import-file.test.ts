import {
  closeSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  readSync,
  realpathSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import t from 'tap';
import { openToReadTwice } from '../../src/cli/import-file.ts';
import type { Io } from '../../src/cli/io.ts';
import { readEnvironment } from '../../src/config/environment.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { memoryOutput } from './memory-output.ts';

function subject(folder: string, input: NodeJS.ReadableStream): Io {
  return {
    out: memoryOutput(),
    err: memoryOutput(),
    input,
    workingFolder: () => folder,
    debug: true,
    environment: readEnvironment({}),
  };
}

/** What is read of a file from its beginning on, which is then closed. */
async function readTwice(file: string, io: Io): Promise<string[]> {
  const descriptor = await openToReadTwice(file, io);
  try {
    const bytes = Buffer.alloc(100);
    return [1, 2].map(() => bytes.toString('utf8', 0, readSync(descriptor, bytes, 0, 100, 0)));
  } finally {
    closeSync(descriptor);
  }
}

const openFiles = (): number => readdirSync('/proc/self/fd').length;

t.test(
  'a file is read twice, and so is what comes on standard input, of which nothing is left',
  async (t) => {
    const folder = temporaryFolder(t);
    writeFileSync(join(folder, 'a.jsonl'), '{}\n');
    const io = subject(folder, Readable.from(['täxt, ', Buffer.from('bytes')]));
    const open = openFiles();
    t.same(await readTwice('a.jsonl', io), ['{}\n', '{}\n']);
    t.same(await readTwice('-', io), ['täxt, bytes', 'täxt, bytes']);
    t.equal(openFiles(), open);
  },
);

t.test('what comes on standard input has no name on the disk', async (t) => {
  const descriptor = await openToReadTwice('-', subject('/', Readable.from(['x'])));
  t.teardown(() => closeSync(descriptor));
  const path = readlinkSync(`/proc/self/fd/${descriptor}`);
  t.match(path, / \(deleted\)$/);
  t.notOk(existsSync(dirname(path)));
});

t.test('a file is read where it lies', async (t) => {
  const folder = realpathSync(temporaryFolder(t));
  writeFileSync(join(folder, 'a.jsonl'), '{}\n');
  const descriptor = await openToReadTwice('a.jsonl', subject(folder, Readable.from([])));
  t.teardown(() => closeSync(descriptor));
  t.equal(readlinkSync(`/proc/self/fd/${descriptor}`), join(folder, 'a.jsonl'));
});

t.test('what is no file is refused by its name', async (t) => {
  const folder = temporaryFolder(t);
  mkdirSync(join(folder, 'sub'));
  const io = subject(folder, Readable.from([]));
  const open = openFiles();
  await t.rejects(openToReadTwice('sub', io), { message: /^sub: this is a folder/ });
  await t.rejects(openToReadTwice('none', io), { message: /^none: cannot be read: / });
  t.equal(openFiles(), open);
});

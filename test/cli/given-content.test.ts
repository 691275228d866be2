import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import t from 'tap';
import { type ContentArguments, givenContent, wholeContent } from '../../src/cli/given-content.ts';
import type { Io } from '../../src/cli/io.ts';
import { readEnvironment } from '../../src/config/environment.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { memoryOutput } from './memory-output.ts';

const VERB = 'context memory add';

/** @param isTTY as Node's streams say it, where they do */
function subject(folder = '/', isTTY?: boolean): Io {
  const input = Readable.from(['from ', Buffer.from('input')]);
  return {
    out: memoryOutput(),
    err: memoryOutput(),
    input: isTTY === undefined ? input : Object.assign(input, { isTTY }),
    workingFolder: () => folder,
    debug: true,
    environment: readEnvironment({}),
  };
}

async function textOf(args: Partial<ContentArguments>, io: Io): Promise<string> {
  const content = await givenContent({ text: [], from: undefined, ...args }, io, VERB);
  try {
    return String(await wholeContent(content, 1000));
  } finally {
    await content.close();
  }
}

t.test('content is the words, a file, or what comes on standard input', async (t) => {
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, 'a.txt'), 'of a file');
  t.equal(await textOf({ text: ['word'] }, subject()), 'word\n');
  t.equal(await textOf({ text: ['two', 'words'] }, subject()), 'two words\n');
  t.equal(await textOf({ text: ['-', 'words'] }, subject()), '- words\n', 'a dash among others is a word');
  t.equal(await textOf({ from: 'a.txt' }, subject(folder)), 'of a file');
  t.equal(await textOf({}, subject()), 'from input');
  t.equal(await textOf({ text: ['-'] }, subject()), 'from input');
  t.equal(await textOf({ from: '-' }, subject()), 'from input');
});

t.test('a person at the terminal is waited for only where that is said', async (t) => {
  await t.rejects(textOf({}, subject('/', true)), { message: /^context memory add needs text, --from FILE/ });
  t.equal(await textOf({}, subject('/', false)), 'from input');
  t.equal(await textOf({ text: ['-'] }, subject('/', true)), 'from input');
  t.equal(await textOf({ from: '-' }, subject('/', true)), 'from input');
});

t.test('what is said twice, and what is no file, is refused', async (t) => {
  const folder = temporaryFolder(t);
  mkdirSync(join(folder, 'sub'));
  await t.rejects(textOf({ text: ['a'], from: 'b' }, subject()), { message: /cannot be used together/ });
  const open = readdirSync('/proc/self/fd').length;
  await t.rejects(textOf({ from: 'sub' }, subject(folder)), { message: /^sub: this is a folder/ });
  t.equal(readdirSync('/proc/self/fd').length, open, 'and does not stay open');
  await t.rejects(textOf({ from: 'none' }, subject(folder)), { message: /^none: cannot be read: / });
});

t.test('a content is as long as it may be, and is not read on behind that', async (t) => {
  let read = 0;
  async function* parts(): AsyncGenerator<Buffer> {
    for (const part of ['abc', 'def', 'ghi']) {
      read += 1;
      yield Buffer.from(part);
    }
  }
  t.equal(String(await wholeContent(parts(), 9)), 'abcdefghi');
  read = 0;
  await t.rejects(wholeContent(parts(), 5), { message: /^EFBIG: a memory has at most 5 bytes/ });
  t.equal(read, 2);
});

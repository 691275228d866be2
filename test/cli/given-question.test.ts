import { Readable } from 'node:stream';
import t from 'tap';
import { givenQuestion, isTyped, wordsOrInput } from '../../src/cli/given-question.ts';
import type { Io } from '../../src/cli/io.ts';
import { readEnvironment } from '../../src/config/environment.ts';
import { memoryOutput } from './memory-output.ts';

const MAX_QUESTION_BYTES = 1_048_576;

/** @param isTTY as Node's streams say it, where they do */
function subject(text: string, isTTY?: boolean): Io {
  const input = Readable.from([Buffer.from(text)]);
  return {
    out: memoryOutput(),
    err: memoryOutput(),
    input: isTTY === undefined ? input : Object.assign(input, { isTTY }),
    workingFolder: () => '/',
    debug: true,
    environment: readEnvironment({}),
  };
}

t.test('the words of the command line are the question, and standard input is left alone', async (t) => {
  const io = subject('another');
  t.equal(await givenQuestion([' How', 'so? '], io), 'How so?');
  t.equal(await wordsOrInput(' as it is ', io, 'search'), ' as it is ');
  t.equal(await givenQuestion([' - '], io), 'another', 'it can still be read');
});

t.test('a person who sits at the terminal is waited for only where that is said', async (t) => {
  const typed = subject('typed\n', true);
  t.equal(await givenQuestion([], typed), '');
  t.equal(await givenQuestion(['-'], typed), 'typed');
  t.equal(await wordsOrInput(' - ', subject('typed\n', true), 'search'), 'typed');
  t.equal(await givenQuestion([], subject('piped\n', false)), 'piped');
  t.equal(isTyped(subject('', true)), true);
  t.equal(isTyped(subject('', false)), false);
  t.equal(isTyped(subject('')), false);
});

t.test('a question is as long as it may be, and no longer', async (t) => {
  const longest = 'x'.repeat(MAX_QUESTION_BYTES);
  t.equal((await givenQuestion([], subject(longest))).length, MAX_QUESTION_BYTES);
  await t.rejects(givenQuestion([], subject(`${longest}x`)), { message: /at most 1048576 bytes/ });
  let read = 0;
  const parts = function* (): Generator<Buffer> {
    for (; read < 100; read += 1) yield Buffer.alloc(1 << 16, 'x');
  };
  const io = { ...subject(''), input: Readable.from(parts()) };
  await t.rejects(givenQuestion([], io), { message: /at most 1048576 bytes/ });
  t.ok(read < 50, 'it is not read to its end');
});

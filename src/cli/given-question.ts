import { Readable } from 'node:stream';
import { EXIT, UserError } from '../core/errors.ts';
import type { Io } from './io.ts';
import { usageError } from './usage-error.ts';

/** A longer text is no question, and a model could not handle it. */
const MAX_QUESTION_BYTES = 1_048_576;

/**
 * The words of the command line; or standard input for `-`, and if there are no words and nobody sits at the terminal.
 * @returns the empty text if there is no question
 * @throws UserError if standard input cannot be read, is too long, or is no UTF-8 text
 */
export async function givenQuestion(words: readonly string[], io: Io): Promise<string> {
  const said = words.join(' ').trim();
  if (said !== '' && said !== '-') return said;
  return said === '' && isTyped(io) ? '' : (await textOf(io.input)).trim();
}

/**
 * A question or query that is one argument of the command line, or for `-` all of standard input.
 * @throws UserError as {@link givenQuestion}, and if standard input is empty
 */
export async function wordsOrInput(words: string, io: Io, verb: string): Promise<string> {
  if (words.trim() !== '-') return words;
  const given = await givenQuestion([words], io);
  if (given === '') throw usageError('- means standard input, which is empty', verb);
  return given;
}

/** Whether a person types standard input. It is then only read if the command says so, and cannot be read twice. */
export function isTyped({ input }: Pick<Io, 'input'>): boolean {
  return 'isTTY' in input && input.isTTY === true;
}

/** The same Io with a standard input that can be read from its beginning again and again. It is not touched before it is read. */
export function withRepeatableInput(io: Io): Io {
  if (isTyped(io)) return io;
  let whole: Promise<Buffer> | undefined;
  async function* parts() {
    whole ??= bytesOf(io.input);
    yield await whole;
  }
  return {
    ...io,
    get input() {
      return Readable.from(parts());
    },
  };
}

async function textOf(input: Io['input']): Promise<string> {
  const bytes = await bytesOf(input);
  if (bytes.byteLength > MAX_QUESTION_BYTES)
    throw new UserError(
      `standard input: a question has at most ${MAX_QUESTION_BYTES} bytes`,
      EXIT.wrongUsage,
    );
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new UserError('standard input: this is not UTF-8 text', EXIT.wrongUsage, { cause: error });
  }
}

/** Reads as many bytes as show that it is too long, or all. */
async function bytesOf(input: Io['input']): Promise<Buffer> {
  const parts: Buffer[] = [];
  let sizeBytes = 0;
  for await (const part of input) {
    parts.push(Buffer.from(part));
    sizeBytes += part.length;
    if (sizeBytes > MAX_QUESTION_BYTES) break;
  }
  return Buffer.concat(parts);
}

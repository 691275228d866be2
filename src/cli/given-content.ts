import { open } from 'node:fs/promises';
import { resolve } from 'node:path';
import { EXIT, reasonOf, UserError } from '../core/errors.ts';
import type { Io } from './io.ts';
import { usageError } from './usage-error.ts';

/** The arguments by which a command takes the content of a file. */
export interface ContentArguments {
  readonly text: readonly string[];
  readonly from: string | undefined;
}

/** A content that the user gave: in parts, which can be read once. */
export interface GivenContent extends AsyncIterable<Uint8Array> {
  /** Closes what was opened, even if the parts were not read. */
  close(): Promise<void>;
}

/** The description of `--from` for commands that take it. */
export const FROM_OPTION = {
  type: 'text',
  value: 'FILE',
  summary: 'take the content from a file, or from standard input with -',
} as const;

/** The description of `text` for commands that take it. */
export const TEXT_SUMMARY = 'the content; with - or without a text, standard input is read';

/**
 * The given content. Words of the command line get a line feed at the end, as echo writes them. A file, or standard input, is taken byte for byte;
 * standard input is read for `-`, as programs do that take a file, and if there are no words. A file is open when this returns, so that one that cannot be
 * read is reported before anything is written.
 * @throws UserError if two contents are given, or none and a person sits at the terminal; if a file cannot be read
 */
export async function givenContent(
  { text, from }: ContentArguments,
  io: Io,
  verb: string,
): Promise<GivenContent> {
  if (text.length > 0 && from !== undefined)
    throw usageError('text and --from cannot be used together', verb);
  const isInput = from === '-' || (text.length === 1 && text[0] === '-');
  if (isInput) return partsOf(bytesOf(io.input));
  if (text.length > 0) return partsOf([Buffer.from(`${text.join(' ')}\n`)]);
  if (from !== undefined) return fileContent(from, io);
  if ('isTTY' in io.input && io.input.isTTY === true) {
    throw usageError(`${verb} needs text, --from FILE, or something on standard input`, verb);
  }
  return partsOf(bytesOf(io.input));
}

/**
 * Reads a content to its end.
 * @throws UserError if it is longer than `maxBytes`; the rest is not read then
 */
export async function wholeContent(content: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const part of content) {
    parts.push(part);
    sizeBytes += part.byteLength;
    if (sizeBytes > maxBytes) {
      throw new UserError(
        `EFBIG: a memory has at most ${maxBytes} bytes, this is longer; keep it in the scratchpad, or raise memory.maxEntryBytes in the config file`,
      );
    }
  }
  return Buffer.concat(parts);
}

async function fileContent(file: string, io: Io): Promise<GivenContent> {
  const refusal = (error: unknown) =>
    new UserError(`${file}: cannot be read: ${reasonOf(error)}`, EXIT.failed, { cause: error });
  try {
    const handle = await open(resolve(io.workingFolder(), file), 'r');
    const isFolder = (await handle.stat()).isDirectory();
    if (isFolder) {
      await handle.close();
      throw new UserError(`${file}: this is a folder; --from takes a file`);
    }
    const parts = handle.createReadStream({ autoClose: false });
    return partsOf(refused(bytesOf(parts), refusal), () => handle.close());
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw refusal(error);
  }
}

async function* refused(
  parts: AsyncIterable<Uint8Array>,
  refusal: (error: unknown) => UserError,
): AsyncIterable<Uint8Array> {
  try {
    yield* parts;
  } catch (error) {
    throw refusal(error);
  }
}

async function* bytesOf(stream: NodeJS.ReadableStream): AsyncIterable<Uint8Array> {
  for await (const part of stream) yield typeof part === 'string' ? Buffer.from(part) : part;
}

function partsOf(
  parts: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  close: () => Promise<void> = async () => {},
): GivenContent {
  return {
    async *[Symbol.asyncIterator]() {
      yield* parts;
    },
    close,
  };
}

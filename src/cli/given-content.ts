import { open } from 'node:fs/promises';
import { resolve } from 'node:path';
import { EXIT, reasonOf, UserError } from '../core/errors.ts';
import type { Io } from './io.ts';
import { usageError } from './usage-error.ts';

/** Where a command takes the content of a file from. */
export interface ContentArguments {
  readonly text: readonly string[];
  readonly from: string | undefined;
}

/** A content that somebody gave: in parts, to be read once. */
export interface GivenContent extends AsyncIterable<Uint8Array> {
  /** Takes back what was opened, also where the parts were not read. */
  close(): Promise<void>;
}

/** How `--from` is described by those that take it. */
export const FROM_OPTION = {
  type: 'text',
  value: 'FILE',
  summary: 'take the content from a file, or from standard input with -',
} as const;

/** How `text` is described by those that take it. */
export const TEXT_SUMMARY = 'the content; with - or without a text, standard input is read';

/**
 * The words of the command line with a line feed behind them, as echo writes them; or a file, or standard input, byte for byte: for `-`, as of
 * programs that take a file, and where there are no words. A file is open when this returns: what cannot be read is seen before anything is written.
 * @throws UserError where two are given, or none and a person sits at the terminal; where a file cannot be read
 */
export async function givenContent(
  { text, from }: ContentArguments,
  io: Io,
  verb: string,
): Promise<GivenContent> {
  if (text.length > 0 && from !== undefined) throw usageError('text and --from exclude each other', verb);
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
 * All of a content.
 * @throws UserError where it is longer than `maxBytes`, without reading on
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

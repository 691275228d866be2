import { fstatSync, writeSync } from 'node:fs';
import { ReadStream, WriteStream } from 'node:tty';
import { type Environment, readEnvironment } from '../config/environment.ts';
import { EXIT, reasonOf, UserError } from '../core/errors.ts';
import { jsonText } from '../core/json-text.ts';
import { isCurrentFolderUtf8 } from './process-encoding.ts';
import { type Style, styleFor } from './text/style.ts';

/** A stream that a command writes to. */
export interface Output {
  /** Whether a person sees it: then colours, progress and cut lines make sense. */
  readonly isTerminal: boolean;
  /** Width of the terminal; undefined if there is none. */
  readonly columns: number | undefined;
  readonly style: Style;
  write(text: string): void;
  /** Writes bytes exactly as they are. Resolves when the reader has room for more. */
  writeBytes(bytes: Uint8Array): Promise<void>;
}

/** The terminal at which a person types, and sees what they type. */
export interface Terminal {
  readonly input: ReadStream;
  readonly output: WriteStream;
}

/** All that a command uses of its process. */
export interface Io {
  readonly out: Output;
  readonly err: Output;
  readonly input: NodeJS.ReadableStream;
  /** Undefined if no person types. */
  readonly terminal?: Terminal | undefined;
  /** The folder that relative paths begin at, as an absolute path. @throws UserError if that folder is gone, or its path is not UTF-8 */
  workingFolder(): string;
  /** Whether a bug is shown with its stack. */
  readonly debug: boolean;
  readonly environment: Environment;
}

export function processIo(): Io {
  const environment = readEnvironment();
  const { noColour, debug } = environment;
  return {
    out: outputTo(process.stdout, noColour),
    err: outputTo(process.stderr, noColour),
    input: process.stdin,
    terminal: terminalOf(process.stdin, [process.stdout, process.stderr]),
    workingFolder: currentFolder,
    debug,
    environment,
  };
}

/** @param outputs the first that is a terminal shows what is typed */
function terminalOf(
  input: NodeJS.ReadableStream,
  outputs: readonly NodeJS.WritableStream[],
): Terminal | undefined {
  const output = outputs.find((stream) => stream instanceof WriteStream);
  return input instanceof ReadStream && output !== undefined ? { input, output } : undefined;
}

/** What is wrong with a path in which U+FFFD stands for bytes that are not UTF-8: it would mean another one. */
export const NOT_UTF8 = 'is not UTF-8 text, as paths have to be here';

/** The current folder. @throws UserError if it is gone, or lies in a mount that is dead, or its path is not UTF-8 */
export function currentFolder(): string {
  const folder = folderOfProcess();
  if (!folder.includes('\uFFFD') || isCurrentFolderUtf8()) return folder;
  throw new UserError(`the current folder ${NOT_UTF8}: ${folder}; rename it`, EXIT.failed);
}

function folderOfProcess(): string {
  try {
    return process.cwd();
  } catch (error) {
    throw new UserError(
      `the current folder cannot be used (${reasonOf(error)}); cd somewhere else`,
      EXIT.failed,
      {
        cause: error,
      },
    );
  }
}

/** Standard output or standard error. */
type StandardStream = NodeJS.WriteStream & { readonly fd: number };

function outputTo(stream: StandardStream, noColour: boolean): Output {
  const isTerminal = stream.isTTY === true;
  const isFile = isRegularFile(stream.fd);
  return {
    isTerminal,
    columns: isTerminal ? stream.columns : undefined,
    style: styleFor(isTerminal && !noColour),
    write(text) {
      if (isFile) writeWhole(stream, Buffer.from(text));
      else stream.write(text);
    },
    async writeBytes(bytes) {
      if (isFile) writeWhole(stream, bytes);
      else if (!stream.write(bytes)) await drained(stream);
    },
  };
}

function drained(stream: StandardStream): Promise<void> {
  return new Promise((resolve) => stream.once('drain', resolve));
}

function isRegularFile(descriptor: number): boolean {
  try {
    // Without `bigint`, fstat of a pipe keeps Node 20 from following links to modules.
    return fstatSync(descriptor, { bigint: true }).isFile();
  } catch {
    // The file lies in a dead mount, which this command may be there to remove.
    return false;
  }
}

/**
 * Writes all bytes. Node writes to a file once, and takes that for complete even if the disk, or a limit, has room for a part only: that would only show at the
 * next write.
 */
function writeWhole(stream: StandardStream, bytes: Uint8Array): void {
  try {
    for (let written = 0; written < bytes.length; ) written += writeSync(stream.fd, bytes, written);
  } catch (error) {
    // Reported as an error of the stream itself, which ends the process.
    stream.destroy(error instanceof Error ? error : new Error(reasonOf(error)));
  }
}

/**
 * Resolves when all that was written to standard output and standard error has been taken, or is lost. A pipe takes some 64 KiB at once, and
 * `process.exit` does not wait for the reader.
 */
export async function allTaken(): Promise<void> {
  const ends = [process.stdout, process.stderr].map(
    (stream) => new Promise<void>((resolve) => stream.write('', () => resolve())),
  );
  await Promise.all(ends);
}

/** Writes JSON for programs: indented, with a line feed at the end. */
export function writeJson(output: Output, value: unknown): void {
  output.write(jsonText(value));
}

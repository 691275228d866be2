import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { EXIT, reasonOf, UserError } from '../core/errors.ts';
import type { Io } from './io.ts';

/**
 * Reads all of a text file, or of standard input for `-`.
 * @throws UserError if it cannot be read, or is no UTF-8 text
 */
export async function wholeInput(file: string, io: Io): Promise<string> {
  const bytes = await bytesOf(file, io);
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw new UserError(`${file}: this is not UTF-8 text`, EXIT.wrongUsage, { cause: error });
  }
}

async function bytesOf(file: string, io: Io): Promise<Buffer> {
  try {
    if (file !== '-') return await readFile(resolve(io.workingFolder(), file));
    const parts: Buffer[] = [];
    for await (const part of io.input) parts.push(Buffer.from(part));
    return Buffer.concat(parts);
  } catch (error) {
    throw new UserError(`${file}: cannot be read: ${reasonOf(error)}`, EXIT.failed, { cause: error });
  }
}

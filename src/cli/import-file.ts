import { closeSync, fstatSync, mkdtempSync, openSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { EXIT, reasonOf, UserError } from '../core/errors.ts';
import { PRIVATE_FILE_MODE } from '../core/file-modes.ts';
import { removeTree } from '../disk/remove.ts';
import type { Io } from './io.ts';

/**
 * Opens a file so that it can be read several times. Standard input (`-`) and pipes are first copied into a temporary file without a name, so
 * that nothing is left of it whatever happens.
 * @returns a descriptor, which the caller has to close
 * @throws UserError if the file cannot be read
 */
export async function openToReadTwice(file: string, io: Io): Promise<number> {
  try {
    if (file === '-') return await spooled(io.input);
    const descriptor = openSync(resolve(io.workingFolder(), file), 'r');
    const info = fstatSync(descriptor);
    if (info.isFile()) return descriptor;
    if (info.isDirectory()) {
      closeSync(descriptor);
      throw new UserError(`${file}: this is a folder; a file of JSON lines is wanted`);
    }
    const { createReadStream } = await import('node:fs');
    return await spooled(createReadStream('', { fd: descriptor }));
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError(`${file}: cannot be read: ${reasonOf(error)}`, EXIT.failed, { cause: error });
  }
}

async function spooled(input: NodeJS.ReadableStream): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'kgraphfs-import-'));
  const descriptor = openSync(join(folder, 'lines.jsonl'), 'wx+', PRIVATE_FILE_MODE);
  removeTree(folder);
  for await (const part of input) {
    const bytes = typeof part === 'string' ? Buffer.from(part) : part;
    for (let done = 0; done < bytes.byteLength; ) done += writeSync(descriptor, bytes, done);
  }
  return descriptor;
}

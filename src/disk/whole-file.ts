/** Files that are written as a whole or not at all: a program that reads one meanwhile, or after a power cut, sees either the old content or the new one. */

import { randomUUID } from 'node:crypto';
import { closeSync, fsyncSync, ftruncateSync, openSync, renameSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { MAX_NAME_BYTES } from '../core/paths.ts';
import { removeMade } from './remove.ts';

/** The mode of a new file, less the umask. */
export const DEFAULT_MODE = 0o666;

/**
 * Writes a file in place of whatever has its name, even a link.
 * @param mode permissions, less the umask. Default: 0o666
 * @throws the disk's error; then nothing has changed
 */
export function writeWholeFile(path: string, content: string | Uint8Array, mode = DEFAULT_MODE): void {
  makeBeside(path, content, mode, (made) => renameSync(made, path));
}

/** Text or bytes, or parts of them that are produced one after the other. */
export type Content = string | Uint8Array | Iterable<Uint8Array>;

/**
 * Makes a file beside the one that it is to replace, and syncs it.
 * @param settle must move or remove the file that was made
 * @throws the disk's error, and what `settle` throws; then nothing of the file is left
 */
export function makeBeside(
  path: string,
  content: Content,
  mode: number,
  settle: (made: string) => void,
): void {
  const made = besideName(path);
  try {
    fill(made, 'wx', content, mode);
    settle(made);
  } catch (error) {
    removeMade(made);
    throw error;
  }
}

function besideName(path: string): string {
  const ending = `.${randomUUID()}.new`;
  const isTooLong = Buffer.byteLength(basename(path)) + ending.length > MAX_NAME_BYTES;
  return isTooLong ? join(dirname(path), ending) : `${path}${ending}`;
}

/** Writes the content. @param flags `r+` for an existing file, which is never shorter than the new content in between. @throws the disk's error */
export function fill(path: string, flags: 'w' | 'wx' | 'r+', content: Content, mode?: number): void {
  const descriptor = openSync(path, flags, mode);
  try {
    const sizeBytes = writeContent(descriptor, content);
    if (flags === 'w') return;
    if (flags === 'r+') ftruncateSync(descriptor, sizeBytes);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** @returns how many bytes were written */
export function writeContent(descriptor: number, content: Content): number {
  const parts = typeof content === 'string' || content instanceof Uint8Array ? [content] : content;
  let sizeBytes = 0;
  for (const part of parts) {
    const bytes = Buffer.from(part);
    writeFileSync(descriptor, bytes);
    sizeBytes += bytes.byteLength;
  }
  return sizeBytes;
}

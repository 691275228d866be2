import { type BigIntStats, closeSync, fstatSync, readSync } from 'node:fs';
import { FsError } from '../core/errors.ts';
import { fileOfBytes } from '../core/open-file.ts';
import type { OpenFile } from '../core/resolver.ts';
import { refusalOf } from './disk-error.ts';

/** A file up to this size is read whole when it is opened, so that a reader keeps the version that it opened. */
const MAX_KEPT_BYTES = 4 * 1024 * 1024;
/** How often a file that is being written is read again, for a version that is one. */
const MAX_READINGS = 3;

/** The bytes of a file with the status that belongs to them. */
export interface FileContent {
  readonly bytes: Buffer;
  readonly status: BigIntStats;
}

/**
 * An open file over a descriptor, which is closed with it or, for a small file, before this returns. Of a large file
 * only the size at opening is kept.
 * @throws FsError EIO
 */
export function openDocsFile(descriptor: number, status: BigIntStats, path: string): OpenFile {
  if (status.size > MAX_KEPT_BYTES) return new DescriptorFile(descriptor, Number(status.size), path);
  try {
    return fileOfBytes(readContent(descriptor, status).bytes);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Reads a whole file. Where it changes meanwhile it is read again, three times at most.
 * @throws the disk's own errors
 */
export function readContent(descriptor: number, status: BigIntStats): FileContent {
  let before = status;
  for (let reading = 1; ; reading += 1) {
    const bytes = readBytes(descriptor, Number(before.size));
    const after = fstatSync(descriptor, { bigint: true });
    const isOneVersion = after.ctimeNs === before.ctimeNs && bytes.byteLength === Number(after.size);
    if (isOneVersion || reading === MAX_READINGS) return { bytes, status: after };
    before = after;
  }
}

function readBytes(descriptor: number, sizeBytes: number): Buffer {
  const bytes = Buffer.allocUnsafeSlow(sizeBytes);
  let filled = 0;
  while (filled < sizeBytes) {
    const count = readSync(descriptor, bytes, filled, sizeBytes - filled, filled);
    if (count === 0) break;
    filled += count;
  }
  return bytes.subarray(0, filled);
}

class DescriptorFile implements OpenFile {
  readonly sizeBytes: number;
  #descriptor: number | undefined;
  readonly #path: string;

  constructor(descriptor: number, sizeBytes: number, path: string) {
    this.#descriptor = descriptor;
    this.sizeBytes = sizeBytes;
    this.#path = path;
  }

  read(target: Uint8Array, position: number): number {
    if (this.#descriptor === undefined) throw new FsError('EBADF', this.#path, 'this file is closed');
    const lengthBytes = Math.min(target.byteLength, this.sizeBytes - position);
    if (lengthBytes <= 0) return 0;
    try {
      return readSync(this.#descriptor, target, 0, lengthBytes, position);
    } catch (error) {
      throw refusalOf(error, this.#path);
    }
  }

  close(): void {
    if (this.#descriptor === undefined) return;
    closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }
}

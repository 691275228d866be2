import { hash } from 'node:crypto';
import { readSync } from 'node:fs';
import { FsError, systemCodeOf } from '../core/errors.ts';
import type { Awaitable, OpenFile } from '../core/resolver.ts';
import { whenLetGo } from '../disk/held-file.ts';
import { type ContentStatus, contentStatusOf, isSameContent, sizeIfStill } from '../system/file-status.ts';
import { closeNow } from '../system/files.ts';
import { refusalOf } from './disk-error.ts';
import { openFound } from './disk-folder.ts';
import { type Memory, OWN, roomFor } from './read-memory.ts';
import { isSettled } from './settled.ts';

/** A file up to this size is read whole when it is opened, so that a reader keeps the version that it opened. */
const MAX_KEPT_BYTES = 4 * 1024 * 1024;
/** How often a file that is being written is read again, for a version that is one. */
const MAX_READINGS = 3;

/** What a network disk, or one in another program, says of what was removed. */
const GONE: ReadonlySet<string> = new Set(['ENOENT', 'ESTALE']);

/** The bytes of a file with the status that belongs to them. */
export interface FileContent {
  readonly bytes: Buffer;
  readonly status: ContentStatus;
}

/**
 * An open file over a descriptor, which is closed with it or, where its bytes have been read, before this returns. Of a large file only the size at
 * opening is kept.
 * @throws FsError EIO
 */
export function openDocsFile(descriptor: number, status: ContentStatus, path: string): OpenFile {
  const version = quickVersionOf(status);
  if (version !== undefined && status.sizeBytes > MAX_KEPT_BYTES) {
    return new DiskFile(descriptor, status.sizeBytes, path, version, readNow, status.modifiedNs);
  }
  const memory = roomFor(status.sizeBytes);
  try {
    const content = readContent(descriptor, status, memory);
    const isAsBefore = version !== undefined && content.status.changedNs === status.changedNs;
    const readVersion = isAsBefore ? version : versionOf(content);
    return new ReadFile(content.bytes, path, readVersion, memory, content.status.modifiedNs);
  } catch (error) {
    memory.give();
    throw error;
  } finally {
    closeNow(descriptor);
  }
}

/**
 * Which version a file is, as far as its status tells: undefined for one that may be changed once more and keep its times, which
 * {@link versionOf} has to tell by its bytes. A large one is then told from what it is later only.
 */
export function quickVersionOf(status: ContentStatus): string | undefined {
  if (isSettled(status.changedNs)) return status.stamp;
  return status.sizeBytes > MAX_KEPT_BYTES ? `${status.stamp}:unsettled` : undefined;
}

export function versionOf({ bytes, status }: FileContent): string {
  return quickVersionOf(status) ?? `${status.stamp}:${hash('sha1', bytes)}`;
}

/**
 * Reads a whole file. Where it changes meanwhile it is read again, three times at most.
 * @param memory where the bytes are to be
 * @throws the disk's own errors
 */
export function readContent(descriptor: number, status: ContentStatus, memory: Memory = OWN): FileContent {
  let before = status;
  for (let reading = 1; ; reading += 1) {
    const bytes = readBytes(descriptor, before.sizeBytes, memory);
    const after = contentStatusOf(descriptor);
    const isOneVersion = after.changedNs === before.changedNs && bytes.byteLength === after.sizeBytes;
    if (isOneVersion || reading === MAX_READINGS) return { bytes, status: after };
    before = after;
  }
}

function readBytes(descriptor: number, sizeBytes: number, memory: Memory): Buffer {
  const bytes = memory.take(sizeBytes);
  let filled = 0;
  while (filled < sizeBytes) {
    const count = readSync(descriptor, bytes, filled, sizeBytes - filled, filled);
    if (count === 0) break;
    filled += count;
  }
  return filled === sizeBytes ? bytes : bytes.subarray(0, filled);
}

/** A file whose bytes were read when it was opened. */
class ReadFile implements OpenFile {
  readonly sizeBytes: number;
  readonly version: string;
  readonly modifiedNs: bigint | undefined;
  readonly #path: string;
  readonly #memory: Memory;
  #bytes: Buffer | undefined;

  /** @param memory what the bytes are in, to be given back when this is closed */
  constructor(bytes: Buffer, path: string, version: string, memory: Memory, modifiedNs?: bigint) {
    this.modifiedNs = modifiedNs;
    this.#bytes = bytes;
    this.#path = path;
    this.#memory = memory;
    this.sizeBytes = bytes.byteLength;
    this.version = version;
  }

  read(target: Uint8Array, position: number): number {
    if (this.#bytes === undefined) throw new FsError('EBADF', this.#path, 'this file is closed');
    return position < this.sizeBytes ? this.#bytes.copy(target, 0, position) : 0;
  }

  close(): void {
    if (this.#bytes === undefined) return;
    this.#bytes = undefined;
    this.#memory.give();
  }
}

/** How the bytes of an open file are read. @throws the disk's own errors */
type ReadFrom = (descriptor: number, target: Uint8Array, position: number) => number;

const readNow: ReadFrom = (descriptor, target, position) =>
  readSync(descriptor, target, 0, target.byteLength, position);

/**
 * A file whose reader had its bytes when it opened it: they are asked for only where memory was short. They are read all at once, and
 * have to be those of then: where somebody wrote over them since, they are gone, and half an old file with half a new one would be a lie.
 * @param descriptor that stands for it, and is closed with the file, or here
 * @param version the stamp of its status
 * @returns undefined where it is another version by now
 */
export function unreadFile(descriptor: number, path: string, version: string): OpenFile | undefined {
  const sizeBytes = sizeOrClosed(descriptor, version);
  if (sizeBytes === undefined) return undefined;
  let bytes: Buffer | undefined;
  return new DiskFile(descriptor, sizeBytes, path, version, (descriptor, target, position) => {
    bytes ??= bytesOfVersion(descriptor, path, version);
    return bytes.copy(target, 0, position);
  });
}

/**
 * As {@link openDocsFile}, of a version that was told from its status before; in half the time.
 * @returns undefined where it is another version by now, or becomes one meanwhile
 */
export function readFile(descriptor: number, path: string, version: string): OpenFile | undefined {
  const sizeBytes = sizeOrClosed(descriptor, version);
  if (sizeBytes === undefined) return undefined;
  if (sizeBytes > MAX_KEPT_BYTES) return new DiskFile(descriptor, sizeBytes, path, version, readNow);
  const memory = roomFor(sizeBytes);
  let isRead = false;
  try {
    const bytes = readBytes(descriptor, sizeBytes, memory);
    isRead = sizeIfStill(descriptor, version) === bytes.byteLength;
    return isRead ? new ReadFile(bytes, path, version, memory) : undefined;
  } finally {
    if (!isRead) memory.give();
    closeNow(descriptor);
  }
}

/** The size of a version; where it is another by now, undefined, and its descriptor is closed. */
function sizeOrClosed(descriptor: number, version: string): number | undefined {
  let sizeBytes: number | undefined;
  try {
    sizeBytes = sizeIfStill(descriptor, version);
    return sizeBytes;
  } finally {
    if (sizeBytes === undefined) closeNow(descriptor);
  }
}

/** @throws FsError EIO where they were written over, or removed from a disk that does not keep what somebody still stands by */
function bytesOfVersion(found: number, path: string, version: string): Buffer {
  let descriptor: number | undefined;
  try {
    descriptor = openFound(found);
    const { bytes, status } = readContent(descriptor, contentStatusOf(descriptor));
    if (isSameContent(status.stamp, version)) return bytes;
  } catch (error) {
    if (!GONE.has(systemCodeOf(error) ?? '')) throw error;
  } finally {
    if (descriptor !== undefined) closeNow(descriptor);
  }
  const reason =
    'this was overwritten or removed while it was open, so what was opened is gone; open it again';
  throw new FsError('EIO', path, reason);
}

/** A descriptor that is closed with its file. */
class DiskFile implements OpenFile {
  readonly sizeBytes: number;
  readonly version: string;
  readonly modifiedNs: bigint | undefined;
  readonly #path: string;
  readonly #readFrom: ReadFrom;
  #descriptor: number | undefined;

  /** @param descriptor which `close` closes */
  constructor(
    descriptor: number,
    sizeBytes: number,
    path: string,
    version: string,
    readFrom: ReadFrom,
    modifiedNs?: bigint,
  ) {
    this.modifiedNs = modifiedNs;
    this.#descriptor = descriptor;
    this.sizeBytes = sizeBytes;
    this.version = version;
    this.#path = path;
    this.#readFrom = readFrom;
  }

  /** Waits for another program that holds what was not read yet. */
  read(target: Uint8Array, position: number): Awaitable<number> {
    return whenLetGo(() => this.#readNow(target, position));
  }

  #readNow(target: Uint8Array, position: number): number {
    if (this.#descriptor === undefined) throw new FsError('EBADF', this.#path, 'this file is closed');
    const lengthBytes = Math.min(target.byteLength, this.sizeBytes - position);
    if (lengthBytes <= 0) return 0;
    try {
      return this.#readFrom(this.#descriptor, target.subarray(0, lengthBytes), position);
    } catch (error) {
      throw refusalOf(error, this.#path);
    }
  }

  close(): void {
    if (this.#descriptor === undefined) return;
    closeNow(this.#descriptor);
    this.#descriptor = undefined;
  }
}

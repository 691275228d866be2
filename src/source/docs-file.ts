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

/** A file up to this size is read as a whole when it is opened, so that its reader keeps the version that was opened. */
const MAX_KEPT_BYTES = 4 * 1024 * 1024;
/** How often a file that is being written is read, to get bytes that all belong to one version. */
const MAX_READINGS = 3;

/** The errors of a network disk, or of one that another program serves, for a file that was removed. */
const GONE: ReadonlySet<string> = new Set(['ENOENT', 'ESTALE']);

/** The bytes of a file, and the status that belongs to them. */
export interface FileContent {
  readonly bytes: Buffer;
  readonly status: ContentStatus;
}

/**
 * An open file over a descriptor. The descriptor is closed with the file, or before this returns if the bytes have been read. For a large file, only the size
 * at opening is kept.
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
 * The version of a file, as far as its status tells. It is undefined if the file may change once more and keep its times; then {@link versionOf} has to derive
 * the version from the bytes. A large file in that state is told only from versions that come later.
 */
export function quickVersionOf(status: ContentStatus): string | undefined {
  if (isSettled(status.changedNs)) return status.stamp;
  return status.sizeBytes > MAX_KEPT_BYTES ? `${status.stamp}:unsettled` : undefined;
}

export function versionOf({ bytes, status }: FileContent): string {
  return quickVersionOf(status) ?? `${status.stamp}:${hash('sha1', bytes)}`;
}

/**
 * Reads a whole file. If it changes meanwhile, it is read again, at most three times in all.
 * @param memory provides the room for the bytes
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

/** A file whose bytes were all read when it was opened. */
class ReadFile implements OpenFile {
  readonly sizeBytes: number;
  readonly version: string;
  readonly modifiedNs: bigint | undefined;
  readonly #path: string;
  readonly #memory: Memory;
  #bytes: Buffer | undefined;

  /** @param memory holds the bytes, and is given back when this is closed */
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

/** Reads bytes of an open file. @throws the disk's own errors */
type ReadFrom = (descriptor: number, target: Uint8Array, position: number) => number;

const readNow: ReadFrom = (descriptor, target, position) =>
  readSync(descriptor, target, 0, target.byteLength, position);

/**
 * A file whose reader already had its bytes when it opened it: they are only asked for again if memory was short. They are then read all at once and have to be
 * the bytes of that version. If somebody has overwritten them since, they are gone, and a mix of old and new bytes must not be returned.
 * @param descriptor an O_PATH descriptor of the file. It is closed with the file, or here
 * @param version the stamp of the file's status
 * @returns undefined if the file has another version by now
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
 * As {@link openDocsFile}, for a version that was told from its status before; in half the time.
 * @returns undefined if the file has another version by now, or gets one meanwhile
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

/** The size of the file if it has this version. Otherwise returns undefined, and closes the descriptor. */
function sizeOrClosed(descriptor: number, version: string): number | undefined {
  let sizeBytes: number | undefined;
  try {
    sizeBytes = sizeIfStill(descriptor, version);
    return sizeBytes;
  } finally {
    if (sizeBytes === undefined) closeNow(descriptor);
  }
}

/** @throws FsError EIO if the bytes were overwritten, or removed from a disk that does not keep files which are still open */
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

/** A file that is read from its descriptor, which is closed with it. */
class DiskFile implements OpenFile {
  readonly sizeBytes: number;
  readonly version: string;
  readonly modifiedNs: bigint | undefined;
  readonly #path: string;
  readonly #readFrom: ReadFrom;
  #descriptor: number | undefined;

  /** @param descriptor closed by `close` */
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

  /** Waits if another program holds the part that was not read yet. */
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

/** Long because each system call on a descriptor has its method here. */
import { constants, fchmodSync, fsync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs';
import { promisify } from 'node:util';
import type { AttributeUse, Owner, Times, WritableFile, WriteOptions, WriteWay } from '../core/changes.ts';
import { FsError, systemCodeOf } from '../core/errors.ts';
import { PERMISSION_BITS } from '../core/file-modes.ts';
import type { Attributes, Awaitable, NodeInfo, OpContext, OpenFile } from '../core/resolver.ts';
import { allocate, copyRange, FALLOCATE, readCached, seek, withoutAppending } from '../system/file-data.ts';
import { type FileStatus, statusOf } from '../system/file-status.ts';
import { changeOwnerOf, closeNow, setTimes } from '../system/files.ts';
import { type AttributesPlace, attributesOf, removeAttribute, setAttribute } from './attributes.ts';
import { refusalOf, refusing } from './disk-refusal.ts';
import { infoOf } from './disk-status.ts';
import { EDGE_BYTES, fittingBytes } from './fitting-bytes.ts';
import { OpenEntry } from './open-entry.ts';
import { modeWithoutSetId } from './ownership.ts';
import { readLater } from './read-later.ts';
import { noSpaceAt } from './refusals.ts';
import { fillUpTo } from './solid-files.ts';
import type { SpaceLedger } from './space-ledger.ts';

const fsyncLater = promisify(fsync);

/** Copying this much takes less than a millisecond. A caller that wants more asks again. */
const MAX_COPY_BYTES = 2 * 1024 * 1024;
/** The errors of disks that can only copy by reading and writing. */
const NO_COPY_CODES = new Set(['ENOSYS', 'EXDEV', 'ENOTSUP', 'EOPNOTSUPP']);

/**
 * An open file of the scratchpad, with its own descriptor: it stays the same file when its name goes to another. Written bytes are handed to the kernel at
 * once, and survive the end of this process.
 */
export class ScratchpadFile implements WritableFile {
  readonly needsNoFlush = true;
  readonly #path: string;
  readonly #ledger: SpaceLedger;
  readonly #appends: boolean;
  #descriptor: number | undefined;
  /** How many operations in other threads are using the descriptor. */
  #works = 0;
  #isClosing = false;

  /**
   * @param descriptor closed by `close`
   * @param status the result of fstat(2)
   * @param flags flags of open(2)
   */
  constructor(descriptor: number, status: FileStatus, path: string, ledger: SpaceLedger, flags: number) {
    this.#descriptor = descriptor;
    this.#path = path;
    this.#ledger = ledger;
    this.#appends = (flags & constants.O_APPEND) !== 0;
    ledger.opened(status);
    ledger.see(status);
  }

  get descriptor(): number | undefined {
    return this.#descriptor;
  }

  get sizeBytes(): number {
    return this.#use((descriptor) => statusOf(descriptor).sizeBytes);
  }

  stat(): NodeInfo {
    return this.#use((descriptor) => infoOf(this.#seen(descriptor)));
  }

  keepSolid(): () => void {
    return this.#use((descriptor) => this.#ledger.solid.keep(statusOf(descriptor).inode));
  }

  /** Reads at once if the bytes are in memory, or if the disk cannot tell; otherwise in another thread. */
  read(target: Uint8Array, position: number): Awaitable<number> {
    return this.#use((descriptor) => {
      if (position < 0) throw new FsError('EINVAL', this.#path, 'no file begins before its beginning');
      if (!Number.isSafeInteger(position)) return 0;
      let filled = 0;
      while (filled < target.byteLength) {
        const rest = filled === 0 ? target : target.subarray(filled);
        const count = readCached(descriptor, rest, position + filled);
        if (count === 'cannot say') return readSync(descriptor, target, 0, target.byteLength, position);
        if (count === 'not in memory') {
          return this.#during(readLater(descriptor, target, filled, position));
        }
        if (count === 0) break;
        filled += count;
      }
      return filled;
    });
  }

  write(bytes: Uint8Array, position: number, context: OpContext = {}, way: WriteWay = 'as opened'): number {
    return this.#use((descriptor) => {
      this.#requirePossible(position, bytes.byteLength);
      const isAppended = this.#appends && way === 'as opened';
      if (!isAppended) this.#fillUpTo(descriptor, position);
      const fitting = this.#fitting(descriptor, bytes.byteLength, position, isAppended);
      if (fitting === 0 && bytes.byteLength > 0) throw noSpaceAt(this.#path);
      const write = () => writeSync(descriptor, bytes, 0, fitting, position);
      const count = this.#appends && !isAppended ? withoutAppending(descriptor, write) : write();
      this.#changed(descriptor, context);
      return count;
    });
  }

  truncate(sizeBytes: number, context: OpContext = {}): void {
    this.#use((descriptor) => {
      truncateDescriptor(descriptor, sizeBytes, this.#path, this.#ledger);
      this.#changed(descriptor, context);
    });
  }

  /** Allocates everything or nothing, as far as the quota goes. */
  allocate(mode: number, position: number, sizeBytes: number, context: OpContext = {}): void {
    this.#use((descriptor) => {
      this.#requirePossible(position, sizeBytes);
      const takesNone = FALLOCATE.punchHole | FALLOCATE.collapse | FALLOCATE.insert;
      if ((mode & takesNone) === 0 && this.#fitting(descriptor, sizeBytes, position) < sizeBytes) {
        throw noSpaceAt(this.#path);
      }
      if ((mode & (FALLOCATE.punchHole | FALLOCATE.insert)) !== 0 && this.#ledger.solid.has(descriptor)) {
        throw new FsError('ENOTSUP', this.#path, 'it is being read and can have no holes until it is closed');
      }
      if ((mode & (takesNone | FALLOCATE.keepSize)) === 0) this.#fillUpTo(descriptor, position);
      allocate(descriptor, mode, position, sizeBytes);
      this.#changed(descriptor, context);
    });
  }

  /** Copies as much as can be done quickly. */
  copyFrom(
    source: OpenFile,
    sourcePosition: number,
    position: number,
    sizeBytes: number,
    context: OpContext = {},
  ): number | undefined {
    if (!(source instanceof ScratchpadFile) || source.#ledger !== this.#ledger) return undefined;
    return this.#use((descriptor) =>
      source.#use((from) => {
        this.#requirePossible(position, sizeBytes);
        const rest = Math.max(0, statusOf(from).sizeBytes - sourcePosition);
        const wanted = Math.min(sizeBytes, rest, MAX_COPY_BYTES);
        this.#fillUpTo(descriptor, position);
        const fitting = this.#fitting(descriptor, wanted, position);
        if (fitting === 0 && wanted > 0) throw noSpaceAt(this.#path);
        const copy = () => copyRange(from, sourcePosition, descriptor, position, fitting);
        const count = copiedOrNot(() => (this.#appends ? withoutAppending(descriptor, copy) : copy()));
        this.#changed(descriptor, context);
        return count;
      }),
    );
  }

  seek(position: number, to: 'data' | 'hole'): number {
    return this.#use((descriptor) => {
      try {
        return seek(descriptor, position, to);
      } catch (error) {
        if (systemCodeOf(error) !== 'ENXIO') throw error;
        throw new FsError('ENXIO', this.#path, `there is no ${to} from here on`, { cause: error });
      }
    });
  }

  changeMode(mode: number): void {
    this.#use((descriptor) => fchmodSync(descriptor, mode & PERMISSION_BITS));
  }

  changeOwner({ user, group }: Owner): void {
    this.#use((descriptor) => changeOwnerOf(descriptor, user, group));
  }

  changeTimes({ accessedNs, modifiedNs }: Times): void {
    this.#use((descriptor) => setTimes(`/proc/self/fd/${descriptor}`, accessedNs, modifiedNs));
  }

  attributes(): Attributes {
    return this.#use((descriptor) => attributesOf(this.#place(descriptor).entry));
  }

  setAttribute(name: string, value: Uint8Array, use: AttributeUse): void {
    this.#use((descriptor) => setAttribute(this.#place(descriptor), name, value, use));
  }

  removeAttribute(name: string): void {
    this.#use((descriptor) => removeAttribute(this.#place(descriptor), name));
  }

  openAgain({ append }: Pick<WriteOptions, 'append'>): ScratchpadFile {
    return this.#use((descriptor) => {
      const flags = constants.O_RDWR | (append ? constants.O_APPEND : 0);
      const again = openSync(`/proc/self/fd/${descriptor}`, flags);
      try {
        return new ScratchpadFile(again, statusOf(again), this.#path, this.#ledger, flags);
      } catch (error) {
        closeNow(again);
        throw error;
      }
    });
  }

  flush(): void {
    this.#use(() => undefined);
  }

  async sync(): Promise<void> {
    await this.#use((descriptor) => this.#during(fsyncLater(descriptor)));
  }

  /** Closes the descriptor once no other thread is using it, so that its number cannot be another file's meanwhile. */
  close(): void {
    this.#isClosing = true;
    this.#closeIfDue();
  }

  async #during<T>(work: Promise<T>): Promise<T> {
    this.#works += 1;
    try {
      return await work;
    } catch (error) {
      throw refusalOf(error, this.#path);
    } finally {
      this.#works -= 1;
      this.#closeIfDue();
    }
  }

  #closeIfDue(): void {
    const descriptor = this.#descriptor;
    if (descriptor === undefined || !this.#isClosing || this.#works > 0) return;
    this.#descriptor = undefined;
    try {
      this.#ledger.closed(statusOf(descriptor));
    } catch {
      // If the disk fails only now, nobody is left to be told: `flush` has answered close(2).
    }
    closeNow(descriptor);
  }

  #place(descriptor: number): AttributesPlace {
    return { entry: new OpenEntry(descriptor), path: this.#path, ledger: this.#ledger };
  }

  /** @param isAppended whether the bytes go to the end of the file, whatever the position */
  #fitting(descriptor: number, lengthBytes: number, position: number, isAppended = false): number {
    const wantedBytes = lengthBytes + EDGE_BYTES;
    const freeBytes = this.#ledger.freeBytesFor(wantedBytes);
    if (freeBytes >= wantedBytes) return lengthBytes;
    const start = isAppended ? this.#seen(descriptor).sizeBytes : position;
    return fittingBytes(descriptor, start, lengthBytes, freeBytes);
  }

  #fillUpTo(descriptor: number, position: number): void {
    fillUpTo(descriptor, position, this.#path, this.#ledger);
  }

  #requirePossible(position: number, sizeBytes: number): void {
    if (!Number.isSafeInteger(position + sizeBytes)) throw tooLargeAt(this.#path);
  }

  /** To be called after a change of the bytes or the length. */
  #changed(descriptor: number, context: OpContext): void {
    const mode = modeWithoutSetId(this.#seen(descriptor), context);
    if (mode !== undefined) fchmodSync(descriptor, mode);
  }

  #seen(descriptor: number): FileStatus {
    const status = statusOf(descriptor);
    this.#ledger.see(status);
    return status;
  }

  #use<T>(action: (descriptor: number) => T): T {
    const descriptor = this.#descriptor;
    if (descriptor === undefined || this.#isClosing) {
      throw new FsError('EBADF', this.#path, 'this file is closed');
    }
    return refusing(this.#path, () => action(descriptor));
  }
}

/** ftruncate(2). @throws FsError EINVAL, EFBIG, ENOSPC if the file may get no hole, and the errors of the system call */
export function truncateDescriptor(
  descriptor: number,
  sizeBytes: number,
  path: string,
  ledger: SpaceLedger,
): void {
  if (sizeBytes < 0) throw new FsError('EINVAL', path, 'no file is shorter than nothing');
  if (!Number.isSafeInteger(sizeBytes)) throw tooLargeAt(path);
  fillUpTo(descriptor, sizeBytes, path, ledger);
  ftruncateSync(descriptor, sizeBytes);
}

function tooLargeAt(path: string): FsError {
  return new FsError('EFBIG', path, 'this is too large for a file on any disk');
}

function copiedOrNot(copy: () => number): number | undefined {
  try {
    return copy();
  } catch (error) {
    if (NO_COPY_CODES.has(systemCodeOf(error) ?? '')) return undefined;
    throw error;
  }
}

import { type BigIntStats, closeSync, fstatSync, fsync, ftruncateSync, readSync, writeSync } from 'node:fs';
import { promisify } from 'node:util';
import type { WritableFile } from '../core/changes.ts';
import { FsError } from '../core/errors.ts';
import type { NodeInfo } from '../core/resolver.ts';
import { refusalOf, refusing } from './disk-refusal.ts';
import { infoOf } from './disk-status.ts';
import { EDGE_BYTES, fittingBytes } from './fitting-bytes.ts';
import type { SpaceLedger } from './space-ledger.ts';

const fsyncLater = promisify(fsync);

/**
 * An open file of the scratchpad, over a descriptor of its own: it stays what it is when its name goes to another. What was written is in
 * the kernel's hands at once and survives the end of this process.
 */
export class ScratchpadFile implements WritableFile {
  readonly #path: string;
  readonly #ledger: SpaceLedger;
  readonly #appends: boolean;
  #descriptor: number | undefined;
  #syncs = 0;
  #isClosing = false;

  /**
   * @param descriptor which `close` closes
   * @param status what fstat(2) says of it
   * @param appends whether it was opened with O_APPEND
   */
  constructor(descriptor: number, status: BigIntStats, path: string, ledger: SpaceLedger, appends: boolean) {
    this.#descriptor = descriptor;
    this.#path = path;
    this.#ledger = ledger;
    this.#appends = appends;
    ledger.opened(status);
    ledger.see(status);
  }

  get sizeBytes(): number {
    return this.#use((descriptor) => Number(statusOf(descriptor).size));
  }

  stat(): NodeInfo {
    return this.#use((descriptor) => infoOf(this.#seen(descriptor)));
  }

  read(target: Uint8Array, position: number): number {
    return this.#use((descriptor) => {
      if (!Number.isSafeInteger(position)) return 0;
      return readSync(descriptor, target, 0, target.byteLength, position);
    });
  }

  write(bytes: Uint8Array, position: number): number {
    return this.#use((descriptor) => {
      if (!Number.isSafeInteger(position + bytes.byteLength)) throw tooLargeAt(this.#path);
      const fitting = this.#fitting(descriptor, bytes.byteLength, position);
      if (fitting === 0 && bytes.byteLength > 0) throw noSpaceAt(this.#path);
      const count = writeSync(descriptor, bytes, 0, fitting, position);
      this.#seen(descriptor);
      return count;
    });
  }

  truncate(sizeBytes: number): void {
    this.#use((descriptor) => {
      truncateDescriptor(descriptor, sizeBytes, this.#path);
      this.#seen(descriptor);
    });
  }

  flush(): void {
    this.#use(() => undefined);
  }

  async sync(): Promise<void> {
    const descriptor = this.#use((open) => open);
    this.#syncs += 1;
    try {
      await fsyncLater(descriptor);
    } catch (error) {
      throw refusalOf(error, this.#path);
    } finally {
      this.#syncs -= 1;
      this.#closeIfDue();
    }
  }

  /** Waits for what is being synced, so that the descriptor's number is not another file's meanwhile. */
  close(): void {
    this.#isClosing = true;
    this.#closeIfDue();
  }

  #closeIfDue(): void {
    const descriptor = this.#descriptor;
    if (descriptor === undefined || !this.#isClosing || this.#syncs > 0) return;
    this.#descriptor = undefined;
    try {
      this.#ledger.closed(statusOf(descriptor));
      closeSync(descriptor);
    } catch {
      // A disk that fails only now has nobody left to tell: close(2) was answered by `flush`.
    }
  }

  #fitting(descriptor: number, lengthBytes: number, position: number): number {
    const wantedBytes = lengthBytes + EDGE_BYTES;
    const freeBytes = this.#ledger.freeBytesFor(wantedBytes);
    if (freeBytes >= wantedBytes) return lengthBytes;
    const status = this.#seen(descriptor);
    const start = this.#appends ? Number(status.size) : position;
    return fittingBytes(descriptor, status, start, lengthBytes, freeBytes);
  }

  #seen(descriptor: number): BigIntStats {
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

/** ftruncate(2). @throws FsError EINVAL, EFBIG, and what the system call says */
export function truncateDescriptor(descriptor: number, sizeBytes: number, path: string): void {
  if (sizeBytes < 0) throw new FsError('EINVAL', path, 'no file is shorter than nothing');
  if (!Number.isSafeInteger(sizeBytes)) throw tooLargeAt(path);
  ftruncateSync(descriptor, sizeBytes);
}

export function noSpaceAt(path: string): FsError {
  return new FsError('ENOSPC', path, 'the scratchpad is full; remove something, or raise its quota');
}

function tooLargeAt(path: string): FsError {
  return new FsError('EFBIG', path, 'no disk takes a file this large');
}

function statusOf(descriptor: number): BigIntStats {
  return fstatSync(descriptor, { bigint: true });
}

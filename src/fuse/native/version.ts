import { isPromiseLike } from '../../core/awaitable.ts';
import type { Awaitable, OpenFile } from '../../core/resolver.ts';

/** One version of a file while somebody may read it. */
export class Version {
  readonly #file: OpenFile;
  /** Reads under way, and one more until it is retired. */
  #users = 1;

  constructor(file: OpenFile) {
    this.#file = file;
  }

  get sizeBytes(): number {
    return this.#file.sizeBytes;
  }

  /**
   * The file reads into memory of ours, not into the kernel's: that is gone when the request is answered, which a deadline
   * may do while a disk still writes into it.
   * @returns the bytes from `position` on, none past the end
   */
  read(sizeBytes: number, position: number): Awaitable<Uint8Array> {
    const target = Buffer.allocUnsafe(Math.max(0, Math.min(sizeBytes, this.#file.sizeBytes - position)));
    const count = this.#file.read(target, position);
    if (!isPromiseLike(count)) return filledPart(target, count);
    this.#users += 1;
    return Promise.resolve(count)
      .finally(() => this.retire())
      .then((count) => filledPart(target, count));
  }

  /** To be called once: closes the file as soon as the reads under way have ended. */
  retire(): void {
    this.#users -= 1;
    if (this.#users === 0) this.#file.close();
  }
}

function filledPart(target: Uint8Array, count: number): Uint8Array {
  if (!Number.isInteger(count) || count < 0 || count > target.length) {
    throw new TypeError(`a read of ${target.length} bytes answered ${count}`);
  }
  return target.subarray(0, count);
}

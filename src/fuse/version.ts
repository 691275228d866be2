import { isPromiseLike } from '../core/awaitable.ts';
import type { WritableFile } from '../core/changes.ts';
import { isWritable } from '../core/open-file.ts';
import type { Awaitable, OpenFile } from '../core/resolver.ts';

/** One version of a file, or one opening of a live one, while somebody may use it. */
export class Version {
  readonly #file: OpenFile;
  /** Uses under way, and one more until it is retired. */
  #users = 1;

  constructor(file: OpenFile) {
    this.#file = file;
  }

  get file(): OpenFile {
    return this.#file;
  }

  /**
   * The file reads into memory of ours, not into the kernel's: that is gone when the request is answered, which a deadline
   * may do while a disk still writes into it.
   * @returns the bytes from `position` on, none past the end
   */
  read(sizeBytes: number, position: number): Awaitable<Uint8Array> {
    const rest = Math.max(0, this.#file.sizeBytes - position);
    const target = Buffer.allocUnsafe(Math.min(sizeBytes, rest));
    const count = this.#use(() => this.#file.read(target, position));
    if (!isPromiseLike(count)) return filledPart(target, count);
    return count.then((count) => filledPart(target, count));
  }

  /** Undefined where it was not opened to be written. */
  get writable(): WritableFile | undefined {
    return isWritable(this.#file) ? this.#file : undefined;
  }

  /** Keeps the file open until what is done with it has ended. */
  during<T>(use: () => Awaitable<T>): Awaitable<T> {
    return this.#use(use);
  }

  /** To be called once: closes the file as soon as the uses under way have ended. */
  retire(): void {
    this.#users -= 1;
    if (this.#users === 0) this.#file.close();
  }

  #use<T>(use: () => Awaitable<T>): Awaitable<T> {
    const value = use();
    if (!isPromiseLike(value)) return value;
    this.#users += 1;
    return Promise.resolve(value).finally(() => this.retire());
  }
}

function filledPart(target: Uint8Array, count: number): Uint8Array {
  if (!Number.isInteger(count) || count < 0 || count > target.length) {
    throw new TypeError(`a read of ${target.length} bytes answered ${count}`);
  }
  return target.subarray(0, count);
}

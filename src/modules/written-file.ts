import type { WritableFile, WriteWay } from '../core/changes.ts';
import { FsError } from '../core/errors.ts';
import type { NodeInfo, OpContext } from '../core/resolver.ts';
import { MAX_FILE_BYTES } from './seen-place.ts';

const EMPTY = new Uint8Array();

/** A file of a module that is open for writing. Its content is handed over as a whole on close(2) and fsync(2). */
export class WrittenFile implements WritableFile {
  #bytes: Uint8Array;
  #changes = 0;
  #committed = 0;
  /** The result of the last time that content was handed over. */
  #commitment: Promise<void> = Promise.resolve();
  #refused: Promise<void> | undefined;
  readonly #append: boolean;
  readonly #infoOf: (sizeBytes: number) => NodeInfo;
  readonly #commit: (content: Uint8Array) => Promise<void>;

  /** @param commit takes the whole content; close(2) fails with its error */
  constructor(
    bytes: Uint8Array | undefined,
    append: boolean,
    infoOf: (sizeBytes: number) => NodeInfo,
    commit: (content: Uint8Array) => Promise<void>,
  ) {
    this.#bytes = bytes ?? EMPTY;
    this.#append = append;
    this.#infoOf = infoOf;
    this.#commit = commit;
  }

  get sizeBytes(): number {
    return this.#bytes.length;
  }

  stat(): NodeInfo {
    return this.#infoOf(this.#bytes.length);
  }

  read(target: Uint8Array, position: number): number {
    const part = this.#bytes.subarray(position, position + target.length);
    target.set(part);
    return part.length;
  }

  write(bytes: Uint8Array, position: number, _context?: OpContext, way: WriteWay = 'as opened'): number {
    const isAppended = way === 'at the end' || (this.#append && way === 'as opened');
    const at = isAppended ? this.#bytes.length : position;
    this.#resize(Math.max(this.#bytes.length, at + bytes.length));
    this.#bytes.set(bytes, at);
    this.#changes += 1;
    return bytes.length;
  }

  truncate(sizeBytes: number): void {
    this.#resize(sizeBytes);
    this.#changes += 1;
  }

  /** This alone does not hand over anything. */
  empty(): void {
    this.#resize(0);
  }

  /** If the content was handed over already, waits for that, and repeats the module's answer: to ask a second time might do something twice. */
  flush(): Promise<void> {
    return this.#committed === this.#changes ? this.#commitment : this.#handOver();
  }

  /** Here the caller asks for it: content that the module refused is handed over once more. */
  sync(): Promise<void> {
    return this.#refused === this.#commitment ? this.#handOver() : this.flush();
  }

  close(): void {}

  #handOver(): Promise<void> {
    this.#committed = this.#changes;
    const commitment = this.#commit(Uint8Array.from(this.#bytes));
    this.#commitment = commitment;
    commitment.catch(() => {
      this.#refused = commitment;
    });
    return commitment;
  }

  /** Always makes another buffer: a reader of the content may have the one before. */
  #resize(sizeBytes: number): void {
    if (sizeBytes > MAX_FILE_BYTES)
      throw new FsError('EFBIG', '', `a file of a module has at most ${MAX_FILE_BYTES} bytes`);
    const bytes = new Uint8Array(sizeBytes);
    bytes.set(this.#bytes.subarray(0, sizeBytes));
    this.#bytes = bytes;
  }
}

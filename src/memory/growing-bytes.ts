/** Bytes that can be written at any position. The caller has to enforce a limit. */
export class GrowingBytes {
  /** All zeros from `#length` on. */
  #buffer: Buffer;
  #length: number;

  /** @param content taken over without a copy, and changed by writes: nobody else may change it later */
  constructor(content: Uint8Array = Buffer.alloc(0)) {
    this.#buffer = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
    this.#length = content.byteLength;
  }

  get length(): number {
    return this.#length;
  }

  /** The bytes as they are, valid until the next change. */
  view(): Uint8Array {
    return this.#buffer.subarray(0, this.#length);
  }

  /** Fills `target` with the bytes from `position` on. @returns how many there were */
  read(target: Uint8Array, position: number): number {
    if (position >= this.#length) return 0;
    const part = this.#buffer.subarray(position, Math.min(this.#length, position + target.byteLength));
    target.set(part);
    return part.byteLength;
  }

  /** A gap between the end and `position` is filled with zeros. */
  write(bytes: Uint8Array, position: number): void {
    const end = position + bytes.byteLength;
    this.#reserve(end);
    this.#buffer.set(bytes, position);
    this.#length = Math.max(this.#length, end);
  }

  /** Cuts the bytes, or fills them up with zeros. */
  resize(sizeBytes: number): void {
    this.#reserve(sizeBytes);
    if (sizeBytes < this.#length) this.#buffer.fill(0, sizeBytes, this.#length);
    this.#length = sizeBytes;
  }

  #reserve(sizeBytes: number): void {
    if (sizeBytes <= this.#buffer.byteLength) return;
    const grown = Buffer.alloc(Math.max(sizeBytes, 2 * this.#length));
    grown.set(this.view());
    this.#buffer = grown;
  }
}

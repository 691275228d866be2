import { isUtf8 } from 'node:buffer';
import { readSync } from 'node:fs';

/** One line of a file, without its end. */
export interface Line {
  /** 1-based. */
  readonly number: number;
  /** Undefined if the line is too long, or is not UTF-8. */
  readonly text: string | undefined;
}

const CHUNK_BYTES = 1 << 20;
const LINE_FEED = 10;
const BYTE_ORDER_MARK = '\uFEFF';

/**
 * The lines of a file, however large it is: no more than a chunk and a line are in memory. Lines that consist of white space are left out.
 * @param descriptor of a file that can be read at any position, so that it can be read several times
 * @throws the error of the system call
 */
export function* linesOf(descriptor: number, maxLineBytes: number): Generator<Line> {
  let number = 0;
  let begun = new Begun(maxLineBytes);
  for (const chunk of chunksOf(descriptor)) {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
      begun.add(chunk.subarray(start, end));
      start = end + 1;
      number += 1;
      const text = begun.text();
      if (text !== '') yield { number, text };
      begun = new Begun(maxLineBytes);
    }
    begun.add(chunk.subarray(start));
  }
  const text = begun.text();
  if (text !== '') yield { number: number + 1, text };
}

function* chunksOf(descriptor: number): Generator<Buffer> {
  for (let position = 0; ; ) {
    // A new buffer each time, since the start of a line may still be a part of the last one.
    const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
    const count = readSync(descriptor, buffer, 0, CHUNK_BYTES, position);
    if (count === 0) return;
    position += count;
    yield buffer.subarray(0, count);
  }
}

/** The part of a line that has been read. */
class Begun {
  readonly #parts: Buffer[] = [];
  #sizeBytes = 0;

  constructor(readonly maxBytes: number) {}

  add(part: Buffer): void {
    this.#sizeBytes += part.length;
    if (this.#sizeBytes > this.maxBytes) this.#parts.length = 0;
    else if (part.length > 0) this.#parts.push(part);
  }

  text(): string | undefined {
    if (this.#sizeBytes > this.maxBytes) return undefined;
    const [only = Buffer.alloc(0)] = this.#parts;
    const bytes = this.#parts.length > 1 ? Buffer.concat(this.#parts) : only;
    if (!isUtf8(bytes)) return undefined;
    const text = bytes.toString('utf8');
    return (text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text).trim();
  }
}

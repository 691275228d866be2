import { createInterface } from 'node:readline';

/** The questions of a chat, one after another. */
export interface Lines {
  /** The next question; undefined at the end. */
  next(): Promise<string | undefined>;
  close(): void;
}

/** Questions from a file or a pipe, one on each line. */
export class PipedLines implements Lines {
  readonly #reader: ReturnType<typeof createInterface>;
  readonly #lines: AsyncIterator<string>;

  constructor(input: NodeJS.ReadableStream) {
    this.#reader = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
    this.#lines = this.#reader[Symbol.asyncIterator]();
  }

  async next(): Promise<string | undefined> {
    const { value, done } = await this.#lines.next();
    return done === true ? undefined : value;
  }

  close(): void {
    this.#reader.close();
  }
}

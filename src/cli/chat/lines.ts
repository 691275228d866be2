import { createInterface } from 'node:readline';

/** Where the questions of a chat come from, one after another. */
export interface Lines {
  /** Undefined at the end. */
  next(): Promise<string | undefined>;
  close(): void;
}

/** One question a line, of a file or a pipe. */
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

import type { Output } from '../../src/cli/io.ts';
import { styleFor } from '../../src/cli/text/style.ts';

/** An output that keeps what is written to it. */
export interface MemoryOutput extends Output {
  text(): string;
}

/** @param columns width of the terminal that it pretends to be; without it, it is a pipe */
export function memoryOutput(columns?: number): MemoryOutput {
  let text = '';
  return {
    isTerminal: columns !== undefined,
    columns,
    style: styleFor(columns !== undefined),
    write(more) {
      text += more;
    },
    async writeBytes(bytes) {
      text += Buffer.from(bytes).toString();
    },
    text: () => text,
  };
}

import { printableText } from '../../text/printable.ts';
import type { Output } from '../io.ts';

/** A count with its noun: `1 document`, `2 documents`, `3 entries`. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}

/** A duration: `0.42 s`. */
export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`;
}

/** A text with words of the docs. On a terminal its control characters are made harmless; elsewhere it is unchanged. */
export function shownOn({ isTerminal }: Pick<Output, 'isTerminal'>, text: string): string {
  return isTerminal ? printableText(text) : text;
}

import { printableText } from '../../text/printable.ts';
import type { Output } from '../io.ts';

/** `1 document`, `2 documents`, `3 entries`. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}

/** `0.42 s`. */
export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`;
}

/** A text with words of the docs as it is, but for a person who looks at it: to them it must not do what control characters do. */
export function shownOn({ isTerminal }: Pick<Output, 'isTerminal'>, text: string): string {
  return isTerminal ? printableText(text) : text;
}

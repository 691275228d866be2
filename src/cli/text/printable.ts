import { printableText } from '../../text/printable.ts';
import type { Output } from '../io.ts';

/** A duration: `0.42 s`. */
export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`;
}

/** A text with words of the docs. On a terminal its control characters are made harmless; elsewhere it is unchanged. */
export function shownOn({ isTerminal }: Pick<Output, 'isTerminal'>, text: string): string {
  return isTerminal ? printableText(text) : text;
}

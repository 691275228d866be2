import { lastUpTo } from '../last-up-to.ts';
import type { FrontMatter } from './front-matter.ts';

/** The line of a value of a top-level key, or that of the key. */
export function lineOfValue({ lines, keyLines }: FrontMatter, key: string, value: string): number {
  const first = keyLines.get(key) ?? 1;
  const next = [...keyLines.values()].find((line) => line > first) ?? lines.length;
  if (value.includes('\n')) return first;
  const { text, starts } = wholeOf(lines);
  const at = text.indexOf(value, starts[first - 1]);
  if (at === -1 || at >= (starts[next - 1] ?? text.length)) return first;
  return lastUpTo(starts, (start) => start, at) + 1;
}

interface WholeText {
  readonly text: string;
  /** Where each line begins. */
  readonly starts: readonly number[];
}

/** A list may have ten thousand values, so each is searched for in the whole text at once, and not line by line. */
const wholeTexts = new WeakMap<readonly string[], WholeText>();

function wholeOf(lines: readonly string[]): WholeText {
  const known = wholeTexts.get(lines);
  if (known !== undefined) return known;
  let end = 0;
  const starts = lines.map((line) => {
    const start = end;
    end += line.length + 1;
    return start;
  });
  const whole = { text: lines.join('\n'), starts };
  wholeTexts.set(lines, whole);
  return whole;
}

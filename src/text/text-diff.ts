const CONTEXT_LINES = 3;
const NO_NEWLINE = '\\ No newline at end of file';

/**
 * What changes from one text to another as a unified diff of one hunk, which `git apply` and `patch -p1` take. Empty where nothing does.
 * @param name of the file from the folder where it is applied
 * @param before undefined where there is no file yet
 * @param after undefined where there is none any more
 */
export function textDiff(name: string, before: string | undefined, after: string | undefined): string {
  if (before === after) return '';
  const [old, now] = [linesOf(before ?? ''), linesOf(after ?? '')];
  const head = commonStart(old, now);
  const tail = commonEnd(old.slice(head), now.slice(head));
  const first = Math.max(0, head - CONTEXT_LINES);
  const end = Math.max(0, tail - CONTEXT_LINES);
  const shown = (lines: readonly string[], from: number, to: number, mark: string) =>
    lines.slice(from, to).map((line) => marked(mark, line));
  return [
    `--- ${before === undefined ? '/dev/null' : `a/${name}`}\n`,
    `+++ ${after === undefined ? '/dev/null' : `b/${name}`}\n`,
    `@@ -${range(first, old.length - end)} +${range(first, now.length - end)} @@\n`,
    ...shown(old, first, head, ' '),
    ...shown(old, head, old.length - tail, '-'),
    ...shown(now, head, now.length - tail, '+'),
    ...shown(now, now.length - tail, now.length - end, ' '),
  ].join('');
}

/** Each with its line feed, where it has one. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function commonStart(a: readonly string[], b: readonly string[]): number {
  const differs = a.findIndex((line, index) => line !== b[index]);
  return differs === -1 ? a.length : differs;
}

function commonEnd(a: readonly string[], b: readonly string[]): number {
  return commonStart(a.toReversed(), b.toReversed());
}

function marked(mark: string, line: string): string {
  return line.endsWith('\n') ? mark + line : `${mark}${line}\n${NO_NEWLINE}\n`;
}

/** A range of no lines is named by the line before it. */
function range(first: number, end: number): string {
  return `${end > first ? first + 1 : first},${end - first}`;
}

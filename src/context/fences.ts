/** A line that opens or closes a block of code: up to three spaces, then at least three marks. */
const FENCE = /^ {0,3}(?:[-*+] +|\d+[.)] +)?(`{3,}(?=[^`]*$)|~{3,})(.*)$/;

/** Most texts have no blocks of code, and looking for them line by line takes longer. */
const MARKS = /`{3}|~{3}/;

interface Fence {
  readonly mark: string;
  /** The text after the marks, which a closing line does not have. */
  readonly info: string;
}

/** The first line of a block of code that is open at the end of a text, without the markers of lists around it. */
export type OpenFence = string | undefined;

/** The block that is open at the end of a text that begins inside of `open`. */
export function fenceBehind(text: string, open?: OpenFence): OpenFence {
  let now = open;
  if (!MARKS.test(text)) return now;
  for (const line of text.split('\n')) {
    const fence = fenceIn(line);
    if (fence === undefined) continue;
    if (now === undefined) now = `${fence.mark}${fence.info}`;
    else if (closes(fence, now)) now = undefined;
  }
  return now;
}

/**
 * A part of a document with a closing line added for a block of code that is open at its end, and an opening line for one that was open before it.
 * @param open the block that is open where the part begins
 */
export function withFencesClosed(text: string, open: OpenFence): string {
  const whole = open === undefined ? text : `${open}\n${text}`;
  const left = fenceBehind(whole);
  if (left === undefined) return whole;
  return `${whole.replace(/\n$/, '')}\n${markOf(left)}`;
}

function fenceIn(line: string): Fence | undefined {
  const [, mark, info] = FENCE.exec(line.replace(/\r$/, '')) ?? [];
  return mark === undefined || info === undefined ? undefined : { mark, info: info.trim() };
}

function closes({ mark, info }: Fence, open: string): boolean {
  const opened = markOf(open);
  return info === '' && mark[0] === opened[0] && mark.length >= opened.length;
}

function markOf(open: string): string {
  return /^(?:`+|~+)/.exec(open)?.[0] ?? '```';
}

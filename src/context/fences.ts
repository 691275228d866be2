/** A line that opens a block of code, or closes one: up to three blanks, then three marks at least. */
const FENCE = /^ {0,3}(?:[-*+] +|\d+[.)] +)?(`{3,}(?=[^`]*$)|~{3,})(.*)$/;

/** Most texts have none, and to look for them line by line takes longer. */
const MARKS = /`{3}|~{3}/;

interface Fence {
  readonly mark: string;
  /** What stands behind it: a closing one has nothing there. */
  readonly info: string;
}

/** A block of code that is open at the end of a text: its first line, without what it stands in. */
export type OpenFence = string | undefined;

/** What is open behind a text, if it begins with `open` open. */
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
 * A part of a document in which every block of code that is open is closed, and one that was open before it is opened.
 * @param open what is open where the part begins
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

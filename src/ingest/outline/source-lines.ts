/** A place in a file. Line and column count from 1, the column in UTF-16 code units. */
export interface FilePlace {
  readonly line: number;
  readonly column: number;
}

/**
 * Finds the place in the file for an offset of a block's content. The content of a block consists of pieces of the file's lines, without the marks of quotes,
 * lists, headings and cells around them. To be asked in document order.
 */
export class SourceLines {
  readonly #text: string;
  #lines: readonly string[] | undefined;
  /** Where the last piece was found, since the cells of one row may have the same text. */
  #last = { content: '', line: 0, stretch: '', index: 0 };
  /** The line of a block that was asked for last, since one line may contain thousands of links. */
  #asked: AskedLine | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  /** A line of the file, without its end. @param line counted from 1 */
  at(line: number): string {
    this.#lines ??= this.#text.split(/\r?\n/);
    return this.#lines[line - 1] ?? '';
  }

  /** How many lines the file has. A line feed at the end counts as the start of one more. */
  get count(): number {
    this.at(1);
    return this.#lines?.length ?? 0;
  }

  /** @param line the line of the file at which the content begins */
  placeOf(content: string, line: number, offset: number): FilePlace {
    let asked = this.#asked;
    const isSame = asked?.content === content && asked.line === line;
    if (asked === undefined || !isSame || offset < asked.before || offset >= asked.after) {
      asked = this.#ask(content, line, offset);
      this.#asked = asked;
    }
    const { at, found, before, indent } = asked;
    return { line: at, column: Math.max(found.start + found.extra(offset - before) - indent, 0) + 1 };
  }

  #ask(content: string, line: number, offset: number): AskedLine {
    const before = content.lastIndexOf('\n', offset - 1) + 1;
    const end = content.indexOf('\n', offset);
    const after = end === -1 ? content.length : end;
    const stretch = content.slice(before, after).trimEnd();
    const last = this.#asked;
    const isFurther = last?.content === content && last.line === line && last.before <= before;
    const [known, from] = isFurther ? [last.at, last.before] : [line, 0];
    const at = known + newlinesBetween(content, from, before);
    const indent = stretch.length - stretch.trimStart().length;
    return { content, line, before, after, at, indent, found: this.#find(content, at, stretch.trimStart()) };
  }

  #find(content: string, line: number, stretch: string): Found {
    const source = this.at(line);
    const last = this.#last;
    const isSame = last.line === line && last.content === content;
    const from = last.line !== line ? 0 : isSame ? last.index : last.index + last.stretch.length;
    const plain = source.indexOf(stretch, from);
    const found = plain === -1 ? withEscapedPipes(source, stretch, from) : { start: plain, extra: same };
    this.#last = { content, line, stretch, index: found.start };
    return found;
  }
}

interface AskedLine {
  readonly content: string;
  readonly line: number;
  /** The offsets in the content at which the line begins and ends. */
  readonly before: number;
  readonly after: number;
  /** The line of the file. */
  readonly at: number;
  readonly indent: number;
  readonly found: Found;
}

interface Found {
  readonly start: number;
  /** Makes of an offset in the piece the one in the line of the file, counted from `start`. */
  readonly extra: (offset: number) => number;
}

const same = (offset: number) => offset;

/** Finds a piece in which the backslashes before pipes were removed, as in the cell of a table. */
function withEscapedPipes(source: string, stretch: string, from: number): Found {
  const start = source.indexOf(stretch.replaceAll('|', '\\|'), from);
  if (start === -1) return { start: source.length - source.trimStart().length, extra: () => 0 };
  let counted = { offset: 0, pipes: 0 };
  const extra = (offset: number) => {
    const from = offset < counted.offset ? { offset: 0, pipes: 0 } : counted;
    const further = stretch.slice(from.offset, offset).split('|').length - 1;
    counted = { offset: Math.max(offset, 0), pipes: from.pipes + further };
    return offset + counted.pipes;
  };
  return { start, extra };
}

function newlinesBetween(content: string, start: number, end: number): number {
  let count = 0;
  for (let at = content.indexOf('\n', start); at !== -1 && at < end; at = content.indexOf('\n', at + 1))
    count += 1;
  return count;
}

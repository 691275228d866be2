/** A part of a document that is small enough for one request. */
export interface Piece {
  /** The number of its first line in the file, 1-based. */
  readonly firstLine: number;
  /** The first and the last line may be parts of a line that is too long for one piece. */
  readonly lines: readonly string[];
}

/** The approximate size of a request: models find less in longer text. */
const MAX_PIECE_TOKENS = 6000;

const BYTES_PER_TOKEN = 3;

/** An upper limit for the number of tokens of a text, without a tokenizer: none of the common ones needs more for prose and code. */
export function estimatedTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);
}

/**
 * Cuts a document at headings into as few pieces as possible. A section that is too long is cut at lines, and a line at the ends of sentences, else
 * at spaces. Long text without any space, such as data, is left out. There is always at least one piece.
 */
export function piecesOf(text: string, maxTokens = MAX_PIECE_TOKENS): Piece[] {
  const pieces: { firstLine: number; lines: string[]; tokens: number }[] = [];
  for (const part of sectionsOf(text.split(/\r\n|\r|\n/), maxTokens)) {
    const last = pieces.at(-1);
    if (last === undefined || part.isWithinLine || last.tokens + part.tokens > maxTokens)
      pieces.push({ ...part, lines: [...part.lines] });
    else {
      last.lines.push(...part.lines);
      last.tokens += part.tokens;
    }
  }
  return pieces.map(({ firstLine, lines }) => ({ firstLine, lines }));
}

interface Part extends Piece {
  readonly tokens: number;
  /** Whether its first line continues the part before. */
  readonly isWithinLine: boolean;
}

/** Sections, none of them too long. */
function sectionsOf(lines: readonly string[], maxTokens: number): Part[] {
  const parts: (Part & { lines: string[]; tokens: number })[] = [];
  let fence: string | undefined;
  for (const [index, line] of lines.entries()) {
    const mark = /^\s{0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    const opensSection = fence === undefined && /^#{1,6}\s/.test(line);
    if (mark !== undefined) {
      if (fence === undefined) fence = mark;
      else if (mark.startsWith(fence)) fence = undefined;
    }
    for (const [place, text] of partsOfLine(line, maxTokens).entries()) {
      const tokens = estimatedTokens(text) + 1;
      const last = parts.at(-1);
      if (last === undefined || place > 0 || opensSection || last.tokens + tokens > maxTokens)
        parts.push({ firstLine: index + 1, lines: [text], tokens, isWithinLine: place > 0 });
      else {
        last.lines.push(text);
        last.tokens += tokens;
      }
    }
  }
  return parts;
}

/** Most lines are one part. */
function partsOfLine(line: string, maxTokens: number): string[] {
  const maxBytes = Math.max(1, maxTokens - 1) * BYTES_PER_TOKEN;
  const parts: string[] = [];
  let rest = line;
  while (Buffer.byteLength(rest) > maxBytes) {
    const longest = beginningOf(rest, maxBytes);
    const end = lastEnd(longest, SENTENCE_END) ?? lastEnd(longest, BLANK);
    if (end !== undefined) {
      parts.push(rest.slice(0, end).trim());
      rest = rest.slice(end).trimStart();
    } else if (LETTERS_WITHOUT_BLANKS.test(longest)) {
      parts.push(longest);
      rest = rest.slice(longest.length);
    } else {
      const next = rest.search(/\s/);
      rest = next === -1 ? '' : rest.slice(next).trimStart();
    }
  }
  if (rest !== '' || parts.length === 0) parts.push(rest);
  return parts;
}

const SENTENCE_END = /[.!?]["'”’)\]*_`]*(?=\s)|[。！？]/gu;
const BLANK = /\s+(?=\S)|[，、；]/gu;
/** Scripts without spaces between words. */
const LETTERS_WITHOUT_BLANKS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** The end of the last mark; undefined if there is none, or nothing is before it. */
function lastEnd(text: string, marks: RegExp): number | undefined {
  let end: number | undefined;
  for (const { 0: mark, index } of text.matchAll(marks)) if (index > 0) end = index + mark.length;
  return end;
}

/** As many characters as fit, at least one. */
function beginningOf(text: string, maxBytes: number): string {
  let beginning = text.slice(0, maxBytes);
  for (let bytes = Buffer.byteLength(beginning); bytes > maxBytes; bytes = Buffer.byteLength(beginning))
    beginning = beginning.slice(0, Math.floor((beginning.length * maxBytes) / bytes));
  const isCut = /[\uD800-\uDBFF]$/.test(beginning);
  return isCut ? beginning.slice(0, -1) || text.slice(0, 2) : beginning || text.slice(0, 1);
}

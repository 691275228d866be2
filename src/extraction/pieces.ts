/** A part of a document that is small enough to be asked about. */
export interface Piece {
  /** 1-based number of its first line in the file. */
  readonly firstLine: number;
  readonly lines: readonly string[];
}

/** Of one request, about: models find less in what is longer. */
const MAX_PIECE_TOKENS = 6000;

/** How many tokens a text is, at most, without any tokenizer: none of the common ones needs more for prose and code. */
export function estimatedTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / 3);
}

/** Cuts a document at headings into as few pieces as there can be; a section that is too long by itself is cut at lines. Always at least one. */
export function piecesOf(text: string, maxTokens = MAX_PIECE_TOKENS): Piece[] {
  const pieces: { firstLine: number; lines: string[]; tokens: number }[] = [];
  for (const part of sectionsOf(text.split(/\r\n|\r|\n/), maxTokens)) {
    const last = pieces.at(-1);
    if (last === undefined || last.tokens + part.tokens > maxTokens)
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
}

/** Sections, none longer than may be but for a single line. */
function sectionsOf(lines: readonly string[], maxTokens: number): Part[] {
  const parts: { firstLine: number; lines: string[]; tokens: number }[] = [];
  let fence: string | undefined;
  for (const [index, line] of lines.entries()) {
    const mark = /^\s{0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    const opensSection = fence === undefined && /^#{1,6}\s/.test(line);
    if (mark !== undefined) {
      if (fence === undefined) fence = mark;
      else if (mark.startsWith(fence)) fence = undefined;
    }
    const tokens = estimatedTokens(line) + 1;
    const last = parts.at(-1);
    if (last === undefined || opensSection || last.tokens + tokens > maxTokens)
      parts.push({ firstLine: index + 1, lines: [line], tokens });
    else {
      last.lines.push(line);
      last.tokens += tokens;
    }
  }
  return parts;
}

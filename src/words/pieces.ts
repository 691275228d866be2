/** A part of a text with its lines, 1-based and inclusive. */
export interface Piece {
  readonly text: string;
  readonly line: number;
  readonly endLine: number;
}

/** 256 tokens of English. */
const TARGET_LENGTH = 1_024;
/** A paragraph longer than the target stays whole up to this length. */
export const MAX_LENGTH = 1_400;
/** How much of the end of a piece is repeated at the beginning of the next. */
const OVERLAP_LENGTH = 120;

/**
 * The piece itself if it is not too long. Else pieces of about 256 tokens, cut at the end of a line or a sentence, with the end of each repeated at
 * the beginning of the next.
 */
export function cut(piece: Piece): Piece[] {
  const { text, line } = piece;
  if (text.length <= MAX_LENGTH) return text.trim() === '' ? [] : [piece];
  const pieces: Piece[] = [];
  let start = 0;
  let startLine = line;
  while (start < text.length) {
    const isLast = text.length - start <= MAX_LENGTH;
    const end = isLast ? text.length : placeToCut(text, start, start + TARGET_LENGTH);
    const part = text.slice(start, end);
    if (part.trim() !== '') {
      const endLine = Math.min(startLine + newlinesIn(part.trimEnd()), piece.endLine);
      pieces.push({ text: part, line: startLine, endLine });
    }
    if (isLast) break;
    const next = Math.max(start + 1, startOfOverlap(text, start, end));
    startLine = Math.min(startLine + newlinesIn(text.slice(start, next)), piece.endLine);
    start = next;
  }
  return pieces;
}

/**
 * Splits a text that is not markdown. A line at the margin after an empty line begins a block. Blocks stay together up to the length of a piece, and
 * longer ones are cut.
 */
export function packed(text: string): Piece[] {
  const pieces: Piece[] = [];
  let pack: Piece | undefined;
  for (const block of blocksOf(text)) {
    for (const piece of cut(block)) {
      if (pack !== undefined && pack.text.length + piece.text.length > MAX_LENGTH) {
        pieces.push(pack);
        pack = undefined;
      }
      pack =
        pack === undefined ? piece : { ...pack, text: `${pack.text}\n${piece.text}`, endLine: piece.endLine };
    }
  }
  if (pack !== undefined) pieces.push(pack);
  return pieces;
}

function* blocksOf(text: string): Generator<Piece> {
  const lines = text.split('\n');
  let first = 0;
  let last = -1;
  const block = () => ({ text: lines.slice(first, last + 1).join('\n'), line: first + 1, endLine: last + 1 });
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    if (line.trim() === '') continue;
    const begins = last >= 0 && at > last + 1 && /^\S/.test(line);
    if (begins) yield block();
    if (begins || last < 0) first = at;
    last = at;
  }
  if (last >= 0) yield block();
}

/** The position after an empty line, a line or a sentence, preferred in this order, in the second half of what may stay together. */
function placeToCut(text: string, start: number, end: number): number {
  const half = start + Math.floor((end - start) / 2);
  const window = text.slice(half, end);
  for (const mark of ['\n\n', '\n', '. ', ' ']) {
    const at = window.lastIndexOf(mark);
    if (at !== -1) return half + at + mark.length;
  }
  return end;
}

function startOfOverlap(text: string, start: number, end: number): number {
  const from = Math.max(start, end - OVERLAP_LENGTH);
  const window = text.slice(from, end);
  for (const mark of ['\n', '. ', ' ']) {
    const at = window.indexOf(mark);
    if (at !== -1 && from + at + mark.length < end) return from + at + mark.length;
  }
  return end;
}

export function newlinesIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

/** A stretch of text with its lines, 1-based and inclusive. */
export interface Piece {
  readonly text: string;
  readonly line: number;
  readonly endLine: number;
}

/** Of what is cut, so much of the end begins the next piece, too. */
const OVERLAP_LENGTH = 120;

/**
 * The piece itself where it is not longer than `maxLength`; else pieces of about `targetLength`, cut where a line ends
 * or a sentence, with the end of each at the start of the next.
 */
export function cut(piece: Piece, targetLength: number, maxLength: number): Piece[] {
  const { text, line } = piece;
  if (text.length <= maxLength) return text.trim() === '' ? [] : [piece];
  const pieces: Piece[] = [];
  let start = 0;
  let startLine = line;
  while (start < text.length) {
    const isLast = text.length - start <= maxLength;
    const end = isLast ? text.length : placeToCut(text, start, start + targetLength);
    const part = text.slice(start, end);
    const endLine = Math.min(startLine + newlinesIn(part.trimEnd()), piece.endLine);
    pieces.push({ text: part, line: startLine, endLine });
    if (isLast) break;
    const next = Math.max(start + 1, startOfOverlap(text, start, end));
    startLine = Math.min(startLine + newlinesIn(text.slice(start, next)), piece.endLine);
    start = next;
  }
  return pieces;
}

/** Behind an empty line, a line or a sentence, in this order, in the second half of what may stay together. */
function placeToCut(text: string, start: number, end: number): number {
  const half = start + Math.floor((end - start) / 2);
  for (const mark of ['\n\n', '\n', '. ', ' ']) {
    const at = text.lastIndexOf(mark, end - mark.length);
    if (at >= half) return at + mark.length;
  }
  return end;
}

function startOfOverlap(text: string, start: number, end: number): number {
  const from = Math.max(start, end - OVERLAP_LENGTH);
  for (const mark of ['\n', '. ', ' ']) {
    const at = text.indexOf(mark, from);
    if (at !== -1 && at + mark.length < end) return at + mark.length;
  }
  return end;
}

function newlinesIn(text: string): number {
  return text.split('\n').length - 1;
}

import { STOP_WORDS } from '../words/stop-words.ts';
import { wordsOf } from '../words/tokens.ts';

const MAX_PARTS = 4;
/** A part with fewer meaningful words asks for nothing by itself. */
const MIN_WORDS = 2;

/** The end of one part of a question: a mark, or a place where a further question word follows. */
const BETWEEN =
  /[:;?!]\s+|\.\s+|,?\s+(?:and|but|or)\s+(?=(?:how|which|what|where|when|who|why|do|does|is|are|can|should|will)\b)|\s+(?:versus|vs\.?)\s+/i;

/** The parts of a question that asks for several things; empty if it asks for one. */
export function questionParts(question: string): string[] {
  const parts = question.split(BETWEEN).filter((part) => {
    const words = new Set(wordsOf(part).filter((word) => !STOP_WORDS.has(word)));
    return words.size >= MIN_WORDS;
  });
  return parts.length > 1 ? parts.slice(0, MAX_PARTS) : [];
}

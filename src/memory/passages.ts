import type { MemoryPlace } from '../core/memory-entry.ts';
import type { Passage } from '../store/passages.ts';
import { countedTerms } from '../words/bag.ts';
import { type Piece, packed } from '../words/pieces.ts';
import { textHashOf } from '../words/text-hash.ts';
import { indexedTermsOf } from '../words/tokens.ts';
import { speakerOf, type Turn, turnsIn } from '../words/turns.ts';
import { bodyOf } from './front-matter-block.ts';

/** Is told what a passage says: who speaks, if anybody, and the text. */
export type EntryTextListener = (textHash: Uint8Array, speaker: string, text: string) => void;

/**
 * What search finds of an entry: its key and tags with each part of its content. A long content is cut, a conversation at each turn, and then the
 * heading of a passage is who speaks. Each is made when it is asked for.
 */
export function* passagesOfEntry(
  { key }: MemoryPlace,
  content: string,
  tags: readonly string[],
  tell?: EntryTextListener,
): Generator<Passage, undefined> {
  const titleTerms = indexedTermsOf(key).join(' ');
  const headingTerms = indexedTermsOf(tags.join(' ')).join(' ');
  const { text, line: bodyLine } = bodyOf(content);
  for (const piece of piecesOf(text)) {
    const headings = 'speaker' in piece ? piece.speaker : '';
    const { terms, bag, length } = countedTerms(indexedTermsOf(piece.text));
    const textHash = textHashOf(`${key}\0${headings}\0${piece.text}`);
    tell?.(textHash, headings, piece.text);
    yield {
      line: piece.line + bodyLine - 1,
      endLine: piece.endLine + bodyLine - 1,
      headings,
      titleTerms,
      headingTerms,
      bodyTerms: terms,
      bodyBag: bag,
      bodyLength: length,
      textHash,
    };
  }
}

function piecesOf(text: string): readonly (Piece | Turn)[] {
  const turns = turnsIn(text);
  if (turns !== undefined) return turns;
  const pieces = packed(text);
  const [only] = pieces;
  // The name alone may be looked for.
  if (only === undefined) return [{ text: '', line: 1, endLine: 1 }];
  const speaker = pieces.length === 1 ? speakerOf(only.text) : undefined;
  return speaker === undefined ? pieces : [{ ...only, speaker }];
}

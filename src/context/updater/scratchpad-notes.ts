/** Finds what the session's scratchpad says about a question. It is in no search index, since it changes with every step of the work. */
import { isoDay } from '../../core/iso-time.ts';
import { termsOf } from '../../words/tokens.ts';
import type { SelectedSpan } from '../manifest.ts';
import type { TokenCounter } from '../tokens.ts';

/** A text file of the scratchpad. */
export interface ScratchpadFile {
  /** The path in the mount. */
  readonly path: string;
  readonly text: string;
  readonly modifiedMs: number;
}

/** The share of the question's words that a paragraph has to contain. */
const MIN_SHARE = 0.4;
/** Nobody has reviewed notes. */
const NOTE_TRUST = 0.5;

/** The paragraphs that contain most of the question's words, as many as there is room for, sorted by path and line. */
export function notesFor(
  question: string,
  files: readonly ScratchpadFile[],
  maxTokens: number,
  counter: TokenCounter,
): SelectedSpan[] {
  const asked = new Set(termsOf(question));
  if (asked.size === 0) return [];
  const found = files.flatMap((file) =>
    paragraphsOf(file.text).flatMap((paragraph) => {
      const terms = new Set(termsOf(paragraph.text));
      const similarity = [...asked].filter((term) => terms.has(term)).length / asked.size;
      return similarity < MIN_SHARE ? [] : [{ file, paragraph, similarity }];
    }),
  );
  let room = maxTokens;
  return found
    .sort((a, b) => b.similarity - a.similarity || b.file.modifiedMs - a.file.modifiedMs)
    .flatMap(({ file, paragraph, similarity }): SelectedSpan[] => {
      const tokens = counter.count(paragraph.text);
      if (tokens > room) return [];
      room -= tokens;
      return [
        {
          path: file.path,
          ...paragraph,
          kind: 'document',
          title: 'notes in the scratchpad',
          headings: [],
          form: 'whole',
          similarity: Math.round(similarity * 1000) / 1000,
          freshness: 1,
          trust: NOTE_TRUST,
          score: Math.round(similarity * 850) / 1000,
          tokens,
          date: isoDay(file.modifiedMs),
          stale: false,
          why: { retrievers: {}, hops: [] },
        },
      ];
    })
    .sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : a.line - b.line));
}

/** A heading belongs to what follows it. */
function paragraphsOf(
  text: string,
): { readonly line: number; readonly endLine: number; readonly text: string }[] {
  const lines = text.split('\n');
  const paragraphs: { line: number; endLine: number; text: string }[] = [];
  let start: number | undefined;
  for (let index = 0; index <= lines.length; index += 1) {
    const isBlank = (lines[index] ?? '').trim() === '';
    const isHeading = start !== undefined && lines.slice(start, index).every((line) => /^#|^\s*$/.test(line));
    if (!isBlank) start ??= index;
    else if (start !== undefined && (!isHeading || index === lines.length)) {
      const said = lines.slice(start, index).join('\n').trimEnd();
      paragraphs.push({ line: start + 1, endLine: start + said.split('\n').length, text: said });
      start = undefined;
    }
  }
  return paragraphs;
}

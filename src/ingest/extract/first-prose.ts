/** The first paragraph that says something: the description of a section or a document. */
import type { Section } from '../markdown/document.ts';
import type { RichText } from '../markdown/rich-text.ts';

/** Whether a text is a list of properties and no sentence: `**Returns:** Array of Status`. */
function isLabelled(text: RichText): boolean {
  const [mark] = text.marks;
  return mark?.kind === 'strong' && mark.start === 0 && /:\s*$/.test(text.text.slice(0, mark.end + 1));
}

/** Kept, since it is asked for by each of the thousands of endpoints that a section may name. */
const firstProses = new WeakMap<Section, { readonly text: RichText | undefined }>();

/** The first sentence of a note: the description of a page without other prose. */
export function firstNoteOf(sections: readonly Section[]): RichText | undefined {
  for (const section of sections) {
    const note = findFirstProse(section, 'note');
    if (note !== undefined) return note;
  }
  return undefined;
}

/** The first paragraph of a section that is a sentence and stands outside of notes. */
export function firstProse(section: Section): RichText | undefined {
  let first = firstProses.get(section);
  if (first === undefined) {
    first = { text: findFirstProse(section, 'text') };
    firstProses.set(section, first);
  }
  return first.text;
}

function findFirstProse({ blocks }: Section, of: 'note' | 'text'): RichText | undefined {
  for (const block of blocks) {
    if (block.kind === 'table') return undefined;
    if (block.kind !== 'paragraph' || block.place !== undefined) continue;
    if ((block.isNote === true) !== (of === 'note')) continue;
    const text = block.text.text.slice(0, 1_000).trim();
    const isSentence =
      /^\p{L}[^\n]*\s[^\n]*\s/u.test(text) &&
      !/^[\w-]+::/.test(text) &&
      !/^(?:GET|POST|PUT|PATCH|DELETE)\s/.test(text);
    if (isSentence && !isLabelled(block.text)) return block.text;
  }
  return undefined;
}

/** The first such paragraph of several sections. */
export function firstProseOf(sections: readonly Section[]): RichText | undefined {
  for (const section of sections) {
    const prose = firstProse(section);
    if (prose !== undefined) return prose;
  }
  return undefined;
}

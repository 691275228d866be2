/**
 * The marks around a note in the styles of site generators: `:::note Title` with `:::` below it, and `> [!NOTE] Title`. The lines say nothing themselves. A
 * title becomes a paragraph, so that it does not run into the text below.
 */
import type { StateBlock } from 'markdown-it';
import { firstCharacter, titleParagraph } from './block-places.ts';

/** Containers with attributes of their own stay text, and the attributes are read from it. */
const CONTAINER = /^(:{3,})[ \t]*(?:([a-z][\w-]*|\{[a-z][\w-]*\})(?::::|\[([^\]{}]*)\]|[ \t]([^{}]*))?)?$/i;

/** Microsoft's syntax, such as `::: moniker range=">= 2"` and `:::image source="a.png":::`. */
const ATTRIBUTES = /^[\w-]+="/;

/** Other containers are layout, and their content is the page's own text. */
const NOTE =
  /^\{?(?:admonition|attention|caution|danger|error|hint|important|info|note|seealso|success|tip|warning)\}?$/i;

/** Types of tokens: a note begins, or a container ends, both with their colons as markup; and the quotation around is a note. */
export const NOTE_OPEN = 'note_open';
export const NOTE_CLOSE = 'note_close';
export const QUOTED_NOTE = 'quoted_note';

/** The line that opens or closes a container. */
export function containerLine(
  state: StateBlock,
  startLine: number,
  _endLine: number,
  silent: boolean,
): boolean {
  const start = firstCharacter(state, startLine);
  if (!state.src.startsWith(':::', start) || (state.sCount[startLine] ?? 0) - state.blkIndent >= 4)
    return false;
  const line = CONTAINER.exec(state.src.slice(start, state.eMarks[startLine]).trimEnd());
  if (line === null) return false;
  if (silent) return true;
  const [, colons = '', name, inBrackets, behind] = line;
  if (name === undefined) state.push(NOTE_CLOSE, '', 0).markup = colons;
  else if (NOTE.test(name)) state.push(NOTE_OPEN, '', 0).markup = colons;
  const title = (inBrackets ?? behind ?? '').trim();
  if (!ATTRIBUTES.test(title)) titleParagraph(state, title, startLine);
  state.line = startLine + 1;
  return true;
}

const CALLOUT = /^\[!\w[\w-]*\][+-]?(?:[ \t]+(\S.*))?[ \t]*$/;

/** The line that makes a quotation a note. It is the first line of its block. */
export function calloutLine(
  state: StateBlock,
  startLine: number,
  _endLine: number,
  silent: boolean,
): boolean {
  const start = firstCharacter(state, startLine);
  if (silent || state.parentType !== 'blockquote' || !state.src.startsWith('[!', start)) return false;
  const line = CALLOUT.exec(state.src.slice(start, state.eMarks[startLine]));
  if (line === null) return false;
  state.push(QUOTED_NOTE, '', 0);
  titleParagraph(state, line[1] ?? '', startLine);
  state.line = startLine + 1;
  return true;
}

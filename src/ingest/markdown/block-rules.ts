/**
 * Block rules in place of markdown-it's HTML blocks. Comments and raw elements are consumed as a whole, while every other tag stays part of the text around it,
 * so that markdown within `<Note>` or `<details>` is read like any other.
 */
import type { StateBlock } from 'markdown-it';
import { firstCharacter } from './block-places.ts';
import { tagEndsFrom } from './tags.ts';

type BlockRule = (state: StateBlock, startLine: number, endLine: number, silent: boolean) => boolean;

const COMMENT_ENDS: readonly (readonly [opening: string, closing: RegExp])[] = [
  ['<!--', /-->/g],
  ['{/*', /\*\/\}/g],
];

/** A comment that begins a line, up to the line where it ends or the end of the file. */
export const commentBlock: BlockRule = (state, startLine, endLine, silent) => {
  const start = firstCharacter(state, startLine);
  for (const [opening, closing] of COMMENT_ENDS) {
    if (!state.src.startsWith(opening, start)) continue;
    if (silent) return true;
    const last = findLine(state, startLine, endLine, closing, start + opening.length);
    // Text after a comment of one line is a paragraph. After a comment of several lines, the line still is HTML.
    if (last === startLine && state.src.slice(closing.lastIndex, state.eMarks[last]).trim() !== '')
      return false;
    state.line = Math.min(last + 1, endLine);
    return true;
  }
  return false;
};

const RAW = /<(script|style|pre|svg|textarea|math)(?=[\s>])/iy;

/** An element whose content is no markdown. The content of `<pre>` becomes a code token. */
export const rawElement: BlockRule = (state, startLine, endLine, silent) => {
  const start = firstCharacter(state, startLine);
  if (state.src.charAt(start) !== '<') return false;
  RAW.lastIndex = start;
  const name = RAW.exec(state.src)?.[1]?.toLowerCase();
  if (name === undefined) return false;
  if (silent) return true;
  const last = findLine(state, startLine, endLine, new RegExp(`</${name}\\s*>`, 'gi'), start);
  state.line = Math.min(last + 1, endLine);
  if (name === 'pre') {
    const token = state.push('fence', 'code', 0);
    const source = state.getLines(startLine, state.line, state.blkIndent, true);
    token.content = state.md.utils.unescapeAll(source.replace(/<[^<>]{0,500}>/g, ''));
    token.map = [startLine, state.line];
    token.markup = '<pre>';
  }
  return true;
};

const COMPONENT = /^:{2,}[a-z][\w-]*(?:[{[].*)?[ \t]*$/i;
const RULE = /^---[ \t]*$/;
const PROPERTY = /^[\w@:.-]+:(?:[ \t]|$)/;

/**
 * Properties of a component in the form of Nuxt: YAML between two rules, below a line `::name`. They become a code token; otherwise the name and the last
 * property would become underlined headings.
 */
export const componentProperties: BlockRule = (state, startLine, endLine, silent) => {
  if (!state.src.startsWith('::', firstCharacter(state, startLine))) return false;
  if ((state.sCount[startLine] ?? 0) - state.blkIndent >= 4) return false;
  const lineAt = (line: number) => state.src.slice(firstCharacter(state, line), state.eMarks[line]);
  if (!COMPONENT.test(lineAt(startLine)) || startLine + 2 >= endLine || !RULE.test(lineAt(startLine + 1)))
    return false;
  if (!PROPERTY.test(lineAt(startLine + 2))) return false;
  let last = startLine + 3;
  while (last < endLine && !RULE.test(lineAt(last))) last += 1;
  if (last >= endLine) return false;
  if (silent) return true;
  const token = state.push('code_block', 'code', 0);
  token.content = state.getLines(startLine + 2, last, state.sCount[startLine] ?? 0, true);
  token.map = [startLine + 2, last];
  state.line = last + 1;
  return true;
};

/** MDX has no indented code: indented text within a component is markdown. The block is read as if it had no indentation. */
export const indentedMarkdown: BlockRule = (state, startLine, endLine) => {
  const indent = state.sCount[startLine] ?? 0;
  if (indent - state.blkIndent < 4) return false;
  const { blkIndent } = state;
  state.blkIndent = indent;
  state.md.block.tokenize(state, startLine, endLine);
  state.blkIndent = blkIndent;
  return true;
};

const FENCE = /^(?:`{3}|~{3})/;

/**
 * MDX has no indented code, so a fence ends the paragraph above it however far it is indented, and `>` on a line of its own may end a tag. Apart from that, this
 * is markdown-it's own rule.
 */
export const mdxParagraph: BlockRule = (state, startLine, endLine) => {
  const enders = state.md.block.ruler.getRules('paragraph');
  const endsTag = tagEndsFrom(state.src, firstCharacter(state, startLine));
  const isEnd = (line: number) => {
    const indent = state.sCount[line] ?? 0;
    const start = firstCharacter(state, line);
    if (indent - state.blkIndent > 3) return FENCE.test(state.src.slice(start, start + 3));
    if (state.src.charAt(start) === '>' && endsTag(start)) return false;
    return indent >= 0 && enders.some((rule) => rule(state, line, endLine, true));
  };
  const { parentType } = state;
  state.parentType = 'paragraph';
  let next = startLine + 1;
  while (next < endLine && !state.isEmpty(next) && !isEnd(next)) next += 1;
  state.line = next;
  state.push('paragraph_open', 'p', 1).map = [startLine, next];
  const inline = state.push('inline', '', 0);
  inline.content = state.getLines(startLine, next, state.blkIndent, false).trim();
  inline.map = [startLine, next];
  inline.children = [];
  state.push('paragraph_close', 'p', -1);
  state.parentType = parentType;
  return true;
};

/** The first line from `startLine` on in which `pattern` ends, or `endLine`. */
function findLine(
  state: StateBlock,
  startLine: number,
  endLine: number,
  pattern: RegExp,
  from: number,
): number {
  // Only the lines of the block are searched: a quote may have a few lines of a text that does not contain the pattern anywhere, and there may be thousands of
  // quotes.
  const within = state.src.slice(0, state.eMarks[endLine - 1]);
  pattern.lastIndex = from;
  if (!pattern.test(within)) return endLine;
  let line = startLine;
  while (line < endLine && (state.eMarks[line] ?? Number.POSITIVE_INFINITY) < pattern.lastIndex) line += 1;
  return line;
}

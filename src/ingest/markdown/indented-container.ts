/**
 * Blocks of MkDocs and similar generators (Python-Markdown's admonitions, collapsible details and content tabs): a line such as `!!! note "Title"`, `??? tip`
 * or `=== "Tab"`, and below it markdown that is indented by four, which is no code.
 */
import type { StateBlock } from 'markdown-it';
import { firstCharacter, titleParagraph } from './block-places.ts';

const OPENING =
  /^(?:!!!|\?\?\?\+?)[ \t]+[\w-]+(?:[ \t]+[\w-]+)*(?:[ \t]+"([^"]*)")?[ \t]*$|^===[!+]?[ \t]+"([^"]+)"[ \t]*$/;
const INDENT_COLUMNS = 4;

export function indentedContainer(
  state: StateBlock,
  startLine: number,
  endLine: number,
  silent: boolean,
): boolean {
  const indent = state.sCount[startLine] ?? 0;
  if (indent - state.blkIndent >= INDENT_COLUMNS) return false;
  const start = firstCharacter(state, startLine);
  const first = state.src.charAt(start);
  if (first !== '!' && first !== '?' && first !== '=') return false;
  const opening = OPENING.exec(state.src.slice(start, state.eMarks[startLine]));
  if (opening === null) return false;
  const end = endOfContent(state, startLine + 1, endLine, indent + INDENT_COLUMNS);
  if (end === startLine + 1) return false;
  if (silent) return true;
  titleParagraph(state, opening[1] ?? opening[2] ?? '', startLine);
  addContent(state, startLine + 1, end, indent + INDENT_COLUMNS);
  state.line = end;
  return true;
}

/** The line after the last one that is indented far enough. Empty lines in between belong to the block. */
function endOfContent(state: StateBlock, startLine: number, endLine: number, indent: number): number {
  let end = startLine;
  for (let line = startLine; line < endLine; line += 1) {
    if (state.isEmpty(line)) continue;
    if ((state.sCount[line] ?? 0) < indent) break;
    end = line + 1;
  }
  return end;
}

function addContent(state: StateBlock, startLine: number, endLine: number, indent: number): void {
  const { blkIndent, lineMax, parentType } = state;
  state.blkIndent = indent;
  state.lineMax = endLine;
  state.parentType = 'root';
  state.md.block.tokenize(state, startLine, endLine);
  state.blkIndent = blkIndent;
  state.lineMax = lineMax;
  state.parentType = parentType;
}

/** Imports and exports of MDX. They are code of the page, and a reader sees nothing of them. */
import type { StateBlock } from 'markdown-it';

const MODULE_CODE =
  /^(?:export\s+(?:default|const|let|var|async|function|class|type|interface|enum)\b|export\s*[{*]|import\s*(?:["'{*]|type\b|[\w$]+\s*,\s*[{*]|[\w$]+\s+from\b))/;
const TEXTS = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\\n]|\\.)*`/g;
const MAX_LINES = 500;

/**
 * Consumes an import or export at the start of a line. It goes on behind an empty line if brackets are open there. If they are not closed anywhere near, it is
 * not read as code for longer than it is one paragraph.
 */
export function moduleCode(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  if (silent || state.level > 0 || state.blkIndent > 0 || (state.tShift[startLine] ?? 0) > 0) return false;
  const lineAt = (line: number) => state.src.slice(state.bMarks[line], state.eMarks[line]);
  if (!MODULE_CODE.test(lineAt(startLine))) return false;
  const last = Math.min(endLine, startLine + MAX_LINES);
  let open = 0;
  let paragraph: number | undefined;
  let line = startLine;
  for (; line < last; line += 1) {
    if (state.isEmpty(line)) {
      if (open <= 0) break;
      paragraph ??= line;
    }
    // Within brackets there is none, so the brackets above are not closed.
    if (paragraph !== undefined && MODULE_CODE.test(lineAt(line))) break;
    open += openedIn(lineAt(line));
  }
  state.line = open > 0 ? (paragraph ?? line) : line;
  return true;
}

/** How many more brackets a line opens than it closes, outside of quotes. */
function openedIn(line: string): number {
  let open = 0;
  for (const [bracket] of line.replace(TEXTS, '').matchAll(/[()[\]{}]/g))
    open += '([{'.includes(bracket) ? 1 : -1;
  return open;
}

/** Imports and exports of MDX. They are code of the page, and a reader sees nothing of them. */
import type { StateBlock } from 'markdown-it';
import { type Nesting, nestingAfter, OUTSIDE } from './code-nesting.ts';

const NAME = '[A-Za-z_$][\\w$]*';
/** Prose may begin with such a word, too: `export default settings`, `import type declarations`. */
const STATEMENTS = [
  'export\\s*[{*]',
  'export\\s+default\\s+(?:async\\s+)?function\\b',
  `export\\s+default\\s+(?:class\\b|[^\\s\\w]|[\\w$.]+\\s*(?:[^\\s\\w.]|$))`,
  `export\\s+(?:const|let|var)\\s+(?:[[{]|${NAME}\\s*[=:;,])`,
  `export\\s+(?:async\\s+)?function\\s*(?:\\*\\s*)?${NAME}\\s*[(<]`,
  `export\\s+(?:abstract\\s+)?(?:class|interface|enum)\\s+${NAME}\\s*(?:[{<]|extends\\b|implements\\b)`,
  `export\\s+type\\s*(?:[{*]|${NAME}\\s*[=<])`,
  `import\\s*(?:["'{*]|type\\s*(?:[{*]|${NAME}\\s+from\\b)|${NAME}\\s*,\\s*[{*]|${NAME}\\s+from\\b)`,
];
const MODULE_CODE = new RegExp(`^(?:${STATEMENTS.join('|')})`);
/** No line of code begins so, unless it is within a text: a heading, a fence, a container. */
const NO_CODE = /^(?:#{1,6}\s|`{3}|~{3}|:{3})/;
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
  let nesting: Nesting = OUTSIDE;
  let paragraph: number | undefined;
  let line = startLine;
  for (; line < last; line += 1) {
    const text = lineAt(line);
    if (state.isEmpty(line)) {
      if (!isOpen(nesting)) break;
      paragraph ??= line;
    }
    // Within brackets there is neither, so the brackets above are not closed.
    if (nesting.until !== '`' && (NO_CODE.test(text) || (paragraph !== undefined && MODULE_CODE.test(text))))
      break;
    if (
      line > startLine &&
      !isOpen(nesting) &&
      beginsBlock(text, lineAt(line + 1)) &&
      !GOES_ON.test(lineAt(line - 1))
    )
      break;
    nesting = nestingAfter(text, nesting);
  }
  state.line = isOpen(nesting) ? (paragraph ?? line) : line;
  return true;
}

/** What a line of code ends with if it goes on below. */
const GOES_ON =
  /[=+\-*/%&|?:,<>([{.!]\s*$|\b(?:from|of|in|extends|implements|return|as|await|new|typeof)\s*$/;
const BLOCK = /^(?:[-*]\s|\d{1,9}[.)]\s|>\s|<[A-Za-z][\w.]*[\s/>])/;

/** Whether a list, a quote, a component or a table begins, which stands directly below the code. */
function beginsBlock(text: string, next: string): boolean {
  return (
    BLOCK.test(text) || (text.startsWith('|') && /^\|?[\s:|-]*-[\s:|-]*$/.test(next) && next.includes('|'))
  );
}

function isOpen({ brackets, until }: Nesting): boolean {
  return brackets > 0 || until !== undefined;
}

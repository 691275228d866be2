import type { StateBlock } from 'markdown-it';

/** Where the text of a line begins, behind its indentation and the marks of what it stands in. */
export function firstCharacter(state: StateBlock, line: number): number {
  return (state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0);
}

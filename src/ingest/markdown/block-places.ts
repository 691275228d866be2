import type { StateBlock } from 'markdown-it';

/** The offset of the first character of a line, after its indentation and the marks of the blocks around it. */
export function firstCharacter(state: StateBlock, line: number): number {
  return (state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0);
}

/** Adds the title of a block as a separate paragraph; nothing if it has no title. */
export function titleParagraph(state: StateBlock, title: string, line: number): void {
  if (title === '') return;
  const map: [number, number] = [line, line + 1];
  state.push('paragraph_open', 'p', 1).map = map;
  const inline = state.push('inline', '', 0);
  inline.content = title;
  inline.map = map;
  inline.children = [];
  state.push('paragraph_close', 'p', -1);
}

/** Finds the end of front matter. Apart from the module that reads front matter, which takes longer to load than most commands run. */
/** A longer block counts as text that begins with a horizontal rule. */
export const MAX_FRONT_MATTER_BYTES = 64 * 1024;
export const FRONT_MATTER_BLOCK =
  /^\uFEFF?---[ \t]*\r?\n(?<source>.*?)^(?:---|\.\.\.)[ \t]*(?:\r?\n|$(?![\s\S]))/ms;

/** A content without its front matter, and the line, 1-based, in which the rest begins. */
export function bodyOf(content: string): { readonly text: string; readonly line: number } {
  const block = FRONT_MATTER_BLOCK.exec(content.slice(0, MAX_FRONT_MATTER_BYTES))?.[0] ?? '';
  return { text: content.slice(block.length), line: block.split('\n').length };
}

const MARKDOWN_ENDING = /\.(?:md|mdx|markdown)$/i;

/** Whether a file is a document, by its name or path alone. */
export function isMarkdown(path: string): boolean {
  return MARKDOWN_ENDING.test(path);
}

/** What a document is called; any other path as it is. */
export function withoutMarkdownEnding(path: string): string {
  return path.replace(MARKDOWN_ENDING, '');
}

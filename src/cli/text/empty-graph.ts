/** What to say if there was no error, and yet no document was read. @param docs the docs roots, as a person knows them */
export function emptyGraphLine(docs: string): string {
  return `the graph is empty: no markdown (.md, .mdx, .markdown) in ${docs} that ignore files and the config let in\n`;
}

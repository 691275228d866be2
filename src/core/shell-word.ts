/** As one word of a command line, quoted where a shell would take it otherwise. */
export function shellWord(text: string): string {
  return /^[\w./@%+:-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/**
 * The beginning of a text that is too long, with a mark where the rest is left out. The result is well-formed: half a character at the cut becomes U+FFFD.
 * @param maxLength how long the text may be; the mark comes on top of that
 */
export function cutText(text: string, maxLength: number, mark = '…'): string {
  return text.length > maxLength ? `${text.slice(0, maxLength).toWellFormed()}${mark}` : text;
}

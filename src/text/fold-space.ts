/** White space folded to single spaces, ends trimmed. */
export function foldSpace(text: string): string {
  // Most texts are so already.
  if (!/\s\s|[^\S ]|^\s|\s$/.test(text)) return text;
  return text.replace(/\s+/g, ' ').trim();
}

/** Replaces each run of white space by a single space, and trims both ends. */
export function foldSpace(text: string): string {
  // Most texts are like this already.
  if (!/\s\s|[^\S ]|^\s|\s$/.test(text)) return text;
  return text.replace(/\s+/g, ' ').trim();
}

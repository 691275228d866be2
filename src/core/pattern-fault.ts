/** A backslash with what it stands before, or a whole set such as `[a-z]`, `[!]]` and `[[:digit:]]`. */
const ESCAPE_OR_SET =
  /\\.|\[(?:[!^]|(?![!^]))(?:\\.|\[:\w+:\]|(?!\[:\w+:\])[^\\])(?:\\.|\[:\w+:\]|(?!\[:\w+:\])[^\]\\])*\]/gs;

/** What keeps a pattern, like those of ignore files, from ever fitting what it seems to name; undefined if nothing does. */
export function patternFault(pattern: string): string | undefined {
  const rest = pattern.replace(ESCAPE_OR_SET, '');
  if (rest.includes('[')) return unclosed('[', ']');
  if (/\{[^}]*,[^}]*$/.test(rest)) return unclosed('{', '}');
  if (rest.endsWith('\\')) return 'nothing follows the "\\" at its end, so the pattern fits no file';
  return undefined;
}

/** In JSON and in quoted YAML, a backslash is written twice. */
function unclosed(opening: string, closing: string): string {
  return `its "${opening}" is never closed, so the pattern fits no file; close it with "${closing}", or write "\\\\${opening}" if the name of the file has a "${opening}"`;
}

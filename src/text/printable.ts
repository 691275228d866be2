// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what has to be escaped
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/**
 * A text from the docs on one line, safe to show: a document must not be able to move the cursor, ring the bell or change the direction of writing.
 * Control characters are shown as `\x1b`, white space as one space.
 */
export function printable(text: string): string {
  return text.replace(/\s+/g, ' ').replace(CONTROLS, escapeCharacter);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what has to be escaped
const CONTROLS_IN_NAMES = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/**
 * The name or path of something, safe to show like {@link printable}, in a form with which it can be opened: with control characters as a shell reads
 * it, `$'new\nline.md'`, otherwise unchanged.
 */
export function printableName(name: string): string {
  if (name.search(CONTROLS_IN_NAMES) < 0) return name;
  const escaped = name
    .replace(/[\\']/g, '\\$&')
    .replaceAll('\n', '\\n')
    .replaceAll('\t', '\\t')
    .replace(CONTROLS_IN_NAMES, escapeForShell);
  return `$'${escaped}'`;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what has to be escaped
const CONTROLS_WITHIN_LINES = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** As {@link printable}, for a text of several lines, or a part of one as it streams in: line feeds, tabs and spaces stay. */
export function printableText(text: string): string {
  return text.replaceAll('\r', '').replace(CONTROLS_WITHIN_LINES, escapeCharacter);
}

/** Past ASCII `\x9b` would be a byte and not the character. */
function escapeForShell(character: string): string {
  const code = character.charCodeAt(0).toString(16);
  return character < '\u0080' ? `\\x${code.padStart(2, '0')}` : `\\u${code.padStart(4, '0')}`;
}

function escapeCharacter(character: string): string {
  const code = character.charCodeAt(0).toString(16);
  return code.length <= 2 ? `\\x${code.padStart(2, '0')}` : `\\u${code}`;
}

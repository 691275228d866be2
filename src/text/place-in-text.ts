/** Line and column of a character in a text, both from 1. @param index of the character; the end of the text is also allowed */
export function placeInText(text: string, index: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, index).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

/** `file:line:column`. @param index of the character, as above */
export function placeInFile(file: string, text: string, index: number): string {
  const { line, column } = placeInText(text, index);
  return `${file}:${line}:${column}`;
}

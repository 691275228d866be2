/**
 * A text without the characters at its end that a pattern of one character fits. `replace(/x+$/, '')` would look at each run of them within the
 * text from each place in it.
 */
export function withoutEnd(text: string, character: RegExp): string {
  let end = text.length;
  while (end > 0 && character.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

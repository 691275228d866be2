/** A text without what stands in brackets at its end, and the white space around that: `Charge (beta) `. */
export function withoutBracketsAtEnd(text: string): string {
  const end = text.trimEnd().length - 1;
  if (text.charAt(end) !== ')') return text;
  // No pattern, which would look from each opening bracket as far as there is no closing one.
  const open = text.indexOf('(', text.lastIndexOf(')', end - 1) + 1);
  return open === -1 || open > end ? text : text.slice(0, open).trimEnd();
}

/** A text without all that stands in brackets: from each opening one to the next that closes. */
export function withoutBrackets(text: string): string {
  let kept = '';
  let from = 0;
  for (let open = text.indexOf('('); open !== -1; open = text.indexOf('(', from)) {
    const close = text.indexOf(')', open);
    if (close === -1) break;
    kept += text.slice(from, open);
    from = close + 1;
  }
  return kept + text.slice(from);
}

/** A text without a bracket at its end, and the white space around that: `Charge (beta) `. */
export function withoutBracketsAtEnd(text: string): string {
  const end = text.trimEnd().length - 1;
  if (text.charAt(end) !== ')') return text;
  // A pattern would search to the end of the text from each opening bracket that is not closed.
  const open = text.indexOf('(', text.lastIndexOf(')', end - 1) + 1);
  return open === -1 || open > end ? text : text.slice(0, open).trimEnd();
}

/** A text without its brackets: from each opening bracket to the next closing one. */
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

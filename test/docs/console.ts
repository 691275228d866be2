/** A command of a `console` block, and what the document says it prints. */
export interface Example {
  readonly line: number;
  readonly command: string;
  readonly output: readonly string[];
}

/**
 * The examples of a markdown text: lines that begin with `$ ` in fences marked `console`, each with the lines that
 * follow it. A line that ends with a backslash goes on.
 */
export function examplesIn(markdown: string): Example[] {
  const examples: { line: number; command: string; output: string[] }[] = [];
  let inside = false;
  for (const [index, text] of markdown.split('\n').entries()) {
    if (text.startsWith('```')) {
      inside = !inside && text === '```console';
      continue;
    }
    if (!inside) continue;
    const last = examples.at(-1);
    if (text.startsWith('$ ')) examples.push({ line: index + 1, command: text.slice(2), output: [] });
    else if (last?.command.endsWith('\\')) last.command = `${last.command.slice(0, -1)}${text.trim()}`;
    else last?.output.push(text);
  }
  return examples.map((example) => ({ ...example, output: withoutTrailingBlanks(example.output) }));
}

function withoutTrailingBlanks(lines: readonly string[]): string[] {
  let end = lines.length;
  while (end > 0 && lines[end - 1] === '') end -= 1;
  return lines.slice(0, end);
}

/**
 * Whether what was printed is what the document says. `…` stands for any text within a line; a line that is `…` alone
 * stands for any lines.
 */
export function isAsShown(printed: readonly string[], shown: readonly string[]): boolean {
  const [first, ...rest] = shown;
  if (first === undefined) return printed.length === 0;
  if (first === '…') {
    return Array.from({ length: printed.length + 1 }, (_, skip) => skip).some((skip) =>
      isAsShown(printed.slice(skip), rest),
    );
  }
  const [line, ...others] = printed;
  return line !== undefined && lineMatches(line, first) && isAsShown(others, rest);
}

function lineMatches(line: string, shown: string): boolean {
  const pattern = shown
    .split('…')
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('.*');
  return new RegExp(`^${pattern}$`).test(line);
}

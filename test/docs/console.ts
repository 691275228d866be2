/** A command of a document, and what the document says of it. */
export interface Example {
  readonly line: number;
  readonly command: string;
  /** What it prints; undefined where the document does not say. */
  readonly output: readonly string[] | undefined;
}

/** A fenced block of a markdown text. */
export interface Fence {
  /** Of its first line, 1-based. */
  readonly line: number;
  readonly language: string;
  readonly lines: readonly string[];
}

export function fencesIn(markdown: string): Fence[] {
  const fences: { line: number; language: string; lines: string[] }[] = [];
  let isInside = false;
  for (const [index, text] of markdown.split('\n').entries()) {
    if (text.startsWith('```')) {
      isInside = !isInside;
      if (isInside) fences.push({ line: index + 2, language: text.slice(3).trim(), lines: [] });
    } else if (isInside) fences.at(-1)?.lines.push(text);
  }
  return fences;
}

/**
 * The examples of a markdown text. In fences marked `console` a command begins with `$ ` and is followed by what it prints; in those marked `sh` each
 * line is one; in those marked `text` one that begins with `$ ` reads the lines that begin with `> `, as somebody typed them. A line that ends
 * with a backslash goes on.
 */
export function examplesIn(markdown: string): Example[] {
  return fencesIn(markdown).flatMap((fence) => {
    if (fence.language === 'console') return shown(fence);
    if (fence.language === 'sh') return lineByLine(fence);
    return fence.language === 'text' ? typed(fence) : [];
  });
}

function shown(fence: Fence): Example[] {
  const examples: { line: number; command: string; output: string[] }[] = [];
  for (const [index, text] of fence.lines.entries()) {
    const last = examples.at(-1);
    if (text.startsWith('$ '))
      examples.push({ line: fence.line + index, command: text.slice(2), output: [] });
    else if (last?.command.endsWith('\\')) last.command = `${last.command.slice(0, -1)}${text.trim()}`;
    else last?.output.push(text);
  }
  return examples.map((example) => ({ ...example, output: withoutTrailingBlanks(example.output) }));
}

function lineByLine(fence: Fence): Example[] {
  const examples: { line: number; command: string; output: undefined }[] = [];
  for (const [index, text] of fence.lines.entries()) {
    const last = examples.at(-1);
    if (last?.command.endsWith('\\')) last.command = `${last.command.slice(0, -1)}${text.trim()}`;
    else if (text.trim() !== '')
      examples.push({ line: fence.line + index, command: text, output: undefined });
  }
  return examples;
}

function typed(fence: Fence): Example[] {
  const [first = '', ...rest] = fence.lines;
  if (!first.startsWith('$ ')) return [];
  const input = rest.filter((text) => text.startsWith('> ')).map((text) => text.slice(2));
  const words = input.map((text) => `'${text.replaceAll("'", "'\\''")}'`).join(' ');
  return [{ line: fence.line, command: `printf '%s\\n' ${words} | ${first.slice(2)}`, output: undefined }];
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

import type { LintFinding } from './finding.ts';

/** A line of a file as it would be with suggestions. */
export interface SuggestedEdit {
  /** 1-based. */
  readonly line: number;
  readonly before: string;
  readonly after: string;
}

/**
 * What following the suggestions of one file changes. A suggestion whose target does not stand in its line as it is reported, as where that is
 * escaped, is left out.
 * @param text the whole file
 */
export function suggestedEdits(text: string, findings: readonly LintFinding[]): SuggestedEdit[] {
  const lines = text.split('\n');
  const edits = new Map<number, SuggestedEdit>();
  // From the end of a line to its beginning, so that columns stay right.
  const ordered = findings
    .filter(({ suggestion }) => suggestion !== undefined)
    .sort((a, b) => b.column - a.column);
  for (const finding of ordered) {
    const { line, column, target = '', suggestion = '' } = finding;
    const source = lines[line - 1];
    const written = source === undefined ? undefined : findWritten(source, column - 1, target);
    if (source === undefined || written === undefined) continue;
    const after = source.slice(0, written.start) + suggestion + source.slice(written.end);
    edits.set(line, { line, before: edits.get(line)?.before ?? source, after });
    lines[line - 1] = after;
  }
  return [...edits.values()].sort((a, b) => a.line - b.line);
}

/** Where a target stands as a link writes it: behind its opening mark. */
function findWritten(
  source: string,
  from: number,
  target: string,
): { start: number; end: number } | undefined {
  for (const opening of ['](', '](<', '][', ']: ', ']: <', '[[', '="', "='", '={"', '', '](\\']) {
    const marked = opening + target;
    const at = source.indexOf(marked, from);
    if (at !== -1) return { start: at + opening.length, end: at + marked.length };
  }
  return undefined;
}

const CONTEXT_LINES = 3;

/** The edits of one file as a unified diff that `git apply` and `patch -p1` take. @param name of the file from the folder where it is applied */
export function unifiedDiff(name: string, text: string, edits: readonly SuggestedEdit[]): string {
  if (edits.length === 0) return '';
  const lines = text.split('\n');
  const endsWithNewline = lines.at(-1) === '';
  if (endsWithNewline) lines.pop();
  let diff = `--- ${nameInDiff(`a/${name}`)}\n+++ ${nameInDiff(`b/${name}`)}\n`;
  for (const group of grouped(edits)) {
    const first = Math.max(1, (group[0]?.line ?? 1) - CONTEXT_LINES);
    const last = Math.min(lines.length, (group.at(-1)?.line ?? 1) + CONTEXT_LINES);
    const count = last - first + 1;
    diff += `@@ -${first},${count} +${first},${count} @@\n`;
    const byLine = new Map(group.map((edit) => [edit.line, edit]));
    for (let line = first; line <= last; line += 1) {
      const end = line === lines.length && !endsWithNewline ? '\n\\ No newline at end of file' : '';
      const edit = byLine.get(line);
      diff +=
        edit === undefined ? ` ${lines[line - 1]}${end}\n` : `-${edit.before}${end}\n+${edit.after}${end}\n`;
    }
  }
  return diff;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what has to be quoted
const QUOTED_IN_DIFFS = /[\u0000-\u001f\u007f"\\]/g;

/** As git writes it: quoted where it would not end at the end of its line; a tab ends one with a space, after which `patch` looks for a time. */
function nameInDiff(name: string): string {
  const quoted = name.replace(QUOTED_IN_DIFFS, (character) =>
    character === '"' || character === '\\'
      ? `\\${character}`
      : `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`,
  );
  if (quoted !== name) return `"${quoted}"`;
  return name.includes(' ') ? `${name}\t` : name;
}

/** Edits that share lines of context stand in one hunk. */
function grouped(edits: readonly SuggestedEdit[]): SuggestedEdit[][] {
  const groups: SuggestedEdit[][] = [];
  for (const edit of edits) {
    const group = groups.at(-1);
    const last = group?.at(-1);
    if (group !== undefined && last !== undefined && edit.line - last.line <= 2 * CONTEXT_LINES)
      group.push(edit);
    else groups.push([edit]);
  }
  return groups;
}

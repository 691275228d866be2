import type { LintFinding } from './finding.ts';

/** A line of a file with suggestions applied. */
export interface SuggestedEdit {
  /** The line, 1-based. */
  readonly line: number;
  readonly before: string;
  readonly after: string;
}

/**
 * The changes to make for the suggestions in one file. A suggestion is left out if its target is not in its line as it is reported, because it is
 * escaped there, for example.
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

/** The place of a target as a link has it: after its opening mark. */
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

/** The edits of one file as a unified diff for `git apply` and `patch -p1`. @param name of the file, relative to the folder where it will be applied */
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

/** As git writes it: quoted if it would not end at the end of its line. After a name with a space there is a tab, since `patch` looks for a time there. */
function nameInDiff(name: string): string {
  const quoted = name.replace(QUOTED_IN_DIFFS, (character) =>
    character === '"' || character === '\\'
      ? `\\${character}`
      : `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`,
  );
  if (quoted !== name) return `"${quoted}"`;
  return name.includes(' ') ? `${name}\t` : name;
}

/** Edits that share lines of context are in one hunk. */
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

import { readFileSync, writeFileSync } from 'node:fs';
import type { DocsSelection } from '../../core/docs-selection.ts';
import { groupBy } from '../../core/group.ts';
import type { LintFinding } from '../../lint/finding.ts';
import { type SuggestedEdit, suggestedEdits, unifiedDiff } from '../../lint/suggested-edits.ts';
import { fileOf, shownName } from './asked-documents.ts';

/** What following the suggestions changes in one document. */
export interface FileEdits {
  /** Relative to the docs root. */
  readonly file: string;
  readonly edits: readonly SuggestedEdit[];
  /** From the current folder, or from the docs root where that lies elsewhere. */
  readonly diff: string;
  /** On this machine, with its text as it would be. */
  readonly changed: { readonly path: string; readonly text: string };
}

/** Documents without a change are left out. */
export function editsOf(
  findings: readonly LintFinding[],
  selection: DocsSelection,
  workingFolder: string,
): FileEdits[] {
  return Array.from(
    groupBy(findings, ({ file }) => file),
    ([file, own]) => {
      const path = fileOf(file, selection) ?? file;
      const text = readFileSync(path, 'utf8');
      const edits = suggestedEdits(text, own);
      const name = shownName(file, selection, workingFolder);
      const diff = unifiedDiff(name.startsWith('../') ? file : name, text, edits);
      return { file, edits, diff, changed: { path, text: withEdits(text, edits) } };
    },
  ).filter(({ edits }) => edits.length > 0);
}

function withEdits(text: string, edits: readonly SuggestedEdit[]): string {
  const lines = text.split('\n');
  for (const { line, after } of edits) lines[line - 1] = after;
  return lines.join('\n');
}

export function writeEdits(files: readonly FileEdits[]): void {
  for (const { changed } of files) writeFileSync(changed.path, changed.text);
}

import { readFileSync } from 'node:fs';
import type { DocsSelection } from '../../core/docs-selection.ts';
import { reasonOf, UserError } from '../../core/errors.ts';
import { groupBy } from '../../core/group.ts';
import { replaceWholeFile } from '../../core/whole-file.ts';
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

/** Changes each document as a whole. @throws UserError for the first that cannot be written; that one stays as it was */
export function writeEdits(files: readonly Pick<FileEdits, 'changed'>[]): void {
  for (const [written, { changed }] of files.entries()) {
    try {
      replaceWholeFile(changed.path, changed.text);
    } catch (error) {
      throw new UserError(
        `${changed.path}: cannot be written, and stays as it was: ${reasonOf(error)}; changed before: ${written} of ${files.length} files; when that is mended, run it again: nothing is changed twice`,
        1,
        { cause: error },
      );
    }
  }
}

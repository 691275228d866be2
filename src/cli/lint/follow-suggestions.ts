import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import type { DocsSelection } from '../../core/docs-selection.ts';
import { EXIT, reasonOf, systemCodeOf, UserError } from '../../core/errors.ts';
import { groupBy } from '../../core/group.ts';
import type { LintFinding } from '../../lint/finding.ts';
import { type SuggestedEdit, suggestedEdits, unifiedDiff } from '../../lint/suggested-edits.ts';
import { diskReasonOf } from '../../source/disk-error.ts';
import { replaceWholeFile } from '../../user-files/replace-file.ts';
import { fileOf, shownName } from './asked-documents.ts';

/** The changes of one document by following the suggestions. */
export interface FileEdits {
  /** Relative to the docs root. */
  readonly file: string;
  readonly edits: readonly SuggestedEdit[];
  /** With paths from the current folder, or from the docs root if that lies elsewhere. */
  readonly diff: string;
  /** The path on this machine, and the text as it would be. */
  readonly changed: { readonly path: string; readonly text: string };
}

export interface FollowedSuggestions {
  /** Documents without a change are left out. */
  readonly files: readonly FileEdits[];
  /** Documents that cannot be read, or not be changed without loss: the path on this machine, and why. */
  readonly left: readonly { readonly path: string; readonly reason: string }[];
}

export function editsOf(
  findings: readonly LintFinding[],
  selection: DocsSelection,
  workingFolder: string,
): FollowedSuggestions {
  const files: FileEdits[] = [];
  const left: { path: string; reason: string }[] = [];
  // A file that could not be read has a finding as well, but without a suggestion.
  const suggested = findings.filter(({ suggestion }) => suggestion !== undefined);
  for (const [file, own] of groupBy(suggested, (finding) => finding.file)) {
    const path = fileOf(file, selection) ?? file;
    const bytes = bytesOf(path);
    if (!Buffer.isBuffer(bytes)) {
      left.push({ path, reason: bytes.unread });
      continue;
    }
    const text = bytes.toString();
    const edits = suggestedEdits(text, own);
    if (edits.length === 0) continue;
    if (!isUtf8(bytes)) {
      left.push({ path, reason: 'its text is not UTF-8; save it as UTF-8, then run it again' });
      continue;
    }
    const name = shownName(file, selection, workingFolder);
    const diff = unifiedDiff(name.startsWith('../') ? file : name, text, edits);
    files.push({ file, edits, diff, changed: { path, text: withEdits(text, edits) } });
  }
  return { files, left };
}

/** The bytes of a document, or why it cannot be read: it may have been removed since it was checked. */
function bytesOf(path: string): Buffer | { readonly unread: string } {
  try {
    return readFileSync(path);
  } catch (error) {
    if (systemCodeOf(error) === undefined) throw error;
    return { unread: `it cannot be read: ${diskReasonOf(error)}` };
  }
}

function withEdits(text: string, edits: readonly SuggestedEdit[]): string {
  const lines = text.split('\n');
  for (const { line, after } of edits) lines[line - 1] = after;
  return lines.join('\n');
}

/** Replaces each document as a whole. @throws UserError for the first that cannot be written; that one stays as it was */
export function writeEdits(files: readonly Pick<FileEdits, 'changed'>[]): void {
  for (const [written, { changed }] of files.entries()) {
    try {
      replaceWholeFile(changed.path, changed.text);
    } catch (error) {
      throw new UserError(
        `${changed.path}: cannot be written, and stays as it was: ${reasonOf(error)}; changed before: ${written} of ${files.length} files; when that is fixed, run it again: nothing is changed twice`,
        EXIT.failed,
        { cause: error },
      );
    }
  }
}

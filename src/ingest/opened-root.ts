import { type DocsFolder, type DocsSelection, wayOf } from '../core/docs-selection.ts';
import { UserError } from '../core/errors.ts';
import type { DiskFolder } from '../source/disk-folder.ts';
import { openSelected } from '../source/docs-folders.ts';
import { type DocsRoot, findDocsFolder } from '../source/docs-root.ts';

/** A docs root, and which folder that is: at its path there may come to lie another one. */
export interface OpenedRoot {
  readonly root: DocsRoot;
  readonly identity: string;
}

/**
 * Opens the folder that lies at a docs root's path by now.
 * @param known the identity of the folder that was there
 * @returns undefined where it is that one still, and why where there is no folder to be read
 */
export async function openAnother(
  selection: DocsSelection,
  docs: DocsFolder,
  excluded: readonly string[],
  known: string | undefined,
): Promise<OpenedRoot | { readonly missing: string } | undefined> {
  try {
    const top = await findDocsFolder(wayOf(docs));
    const identity = identityOf(top);
    if (identity !== known) return { root: openSelected(selection, docs, { excluded }, top), identity };
    top.close();
    return undefined;
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { missing: error.message };
  }
}

/** Closes it where that fails. */
function identityOf(top: DiskFolder): string {
  try {
    return top.identity();
  } catch (error) {
    top.close();
    throw error;
  }
}

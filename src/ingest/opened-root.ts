import type { DocsFolder, DocsSelection } from '../core/docs-selection.ts';
import { UserError } from '../core/errors.ts';
import type { DiskFolder } from '../source/disk-folder.ts';
import type { DocsRoot } from '../source/docs-root.ts';
import { findRoot, openSelected } from '../source/selected-root.ts';

/** A docs root, and which folder that is: at its path there may come to lie another one. */
export interface OpenedRoot {
  readonly root: DocsRoot;
  /** Where other docs roots lie, or lay before they were away, which are no part of it. */
  readonly others: readonly string[];
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
    const found = await findRoot(selection, docs);
    const { top } = found;
    const others = [...found.others, ...found.away];
    const identity = await identityOf(top);
    if (identity !== known)
      return { root: openSelected(selection, docs, { excluded }, found), others, identity };
    top.close();
    return undefined;
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { missing: error.message };
  }
}

/** Closes it where that fails. */
async function identityOf(top: DiskFolder): Promise<string> {
  try {
    return await top.identity();
  } catch (error) {
    top.close();
    throw error;
  }
}

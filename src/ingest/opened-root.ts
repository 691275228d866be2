import type { DocsFolder, DocsSelection } from '../core/docs-selection.ts';
import { UserError } from '../core/errors.ts';
import type { DiskFolder } from '../source/disk-folder.ts';
import type { DocsRoot } from '../source/docs-root.ts';
import { pathsWithin } from '../source/excluded-folders.ts';
import { findRoot, openSelected } from '../source/selected-root.ts';
import { NotAskedError } from '../system/found-place.ts';

/** A docs root, and which folder that is: at its path there may come to lie another one. */
export interface OpenedRoot {
  readonly root: DocsRoot;
  /** Where other docs roots lie, or lay before they were away, which are no part of it. */
  readonly others: readonly string[];
  readonly identity: string;
}

/**
 * Opens the folder that lies at a docs root's path by now.
 * @param known what was opened before
 * @returns undefined where it is that folder still and the same of it belongs to other roots, or where that cannot be asked now, and why where there is no
 *   folder to be read
 */
export async function openAnother(
  selection: DocsSelection,
  docs: DocsFolder,
  excluded: readonly string[],
  known: OpenedRoot | undefined,
): Promise<OpenedRoot | { readonly missing: string } | undefined> {
  try {
    const found = await findRoot(selection, docs);
    const { top } = found;
    // One that is away may lie where it lay before.
    const before = found.away.length === 0 ? [] : (known?.others ?? []);
    const others = [...new Set([...found.others, ...found.away, ...before])];
    const identity = await identityOf(top);
    if (identity === known?.identity && isSameWithin(known.root.realPath, others, known.others)) {
      top.close();
      return undefined;
    }
    return { root: openSelected(selection, docs, { excluded }, found), others, identity };
  } catch (error) {
    const isUserError = error instanceof UserError;
    // That others do not answer says nothing of this one.
    const wasAsked = !((isUserError ? error.cause : error) instanceof NotAskedError);
    if (known !== undefined && !wasAsked) return undefined;
    if (!isUserError) throw error;
    return { missing: error.message };
  }
}

/** Whether the same of a docs root belongs to other roots. */
function isSameWithin(docs: string, others: readonly string[], before: readonly string[]): boolean {
  const [now, then] = [pathsWithin(docs, others), new Set(pathsWithin(docs, before))];
  return now.length === then.size && now.every((path) => then.has(path));
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

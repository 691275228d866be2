import { isDeepStrictEqual } from 'node:util';
import type { DocsFolder, DocsSelection } from '../core/docs-selection.ts';
import { systemCodeOf, UserError } from '../core/errors.ts';
import type { DiskFolder } from '../source/disk-folder.ts';
import type { DocsRoot } from '../source/docs-root.ts';
import { pathsWithin } from '../source/excluded-folders.ts';
import { type FoundRoot, findRoot, openSelected } from '../source/selected-root.ts';
import { NotAskedError } from '../system/found-place.ts';

/** A docs root, and which folder that is: at its path there may come to lie another one. */
export interface OpenedRoot {
  readonly root: DocsRoot;
  /** Where other docs roots lie, by their names, or may have lain before they were away: that is no part of it. */
  readonly others: ReadonlyMap<string, readonly string[]>;
  /** As it was found last: an overlay tells another birth of a folder once something was written into it. */
  identity: string;
  /** The folder itself, which is closed with the root. */
  readonly top: DiskFolder;
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
    const others = placesOf(found, known?.others);
    const identity = await identityOf(top);
    if (known !== undefined && identity !== known.identity && (await isBornAnew(known, identity)))
      known.identity = identity;
    if (identity === known?.identity && isSameWithin(known.root.realPath, others, known.others)) {
      top.close();
      return undefined;
    }
    return { root: openSelected(selection, docs, { excluded }, found), others, identity, top };
  } catch (error) {
    const isUserError = error instanceof UserError;
    // That others do not answer says nothing of this one.
    const wasAsked = !((isUserError ? error.cause : error) instanceof NotAskedError);
    if (known !== undefined && !wasAsked) return undefined;
    if (!isUserError) throw error;
    return { missing: error.message };
  }
}

function placesOf(
  { others, away }: FoundRoot,
  known: OpenedRoot['others'] = new Map(),
): OpenedRoot['others'] {
  const places = new Map<string, readonly string[]>();
  for (const [name, folder] of others) places.set(name, [folder]);
  // It may lie where it lay before.
  for (const [name, folder] of away) places.set(name, [...new Set([folder, ...(known.get(name) ?? [])])]);
  return places;
}

/** Whether the same of a docs root belongs to other roots. */
function isSameWithin(docs: string, others: OpenedRoot['others'], before: OpenedRoot['others']): boolean {
  const [now, then] = [others, before].map((all) => pathsWithin(docs, [...all.values()].flat()).sort());
  return isDeepStrictEqual(now, then);
}

/** Whether the folder that was opened before is said to be that one by now, so that it is still the same. */
async function isBornAnew(known: OpenedRoot, identity: string): Promise<boolean> {
  try {
    return (await known.top.identity()) === identity;
  } catch (error) {
    // It is gone, or was closed meanwhile.
    if (systemCodeOf(error) === undefined) throw error;
    return false;
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

import { isDeepStrictEqual } from 'node:util';
import type { DocsFolder, DocsSelection } from '../core/docs-selection.ts';
import { systemCodeOf, UserError } from '../core/errors.ts';
import type { DiskFolder } from '../source/disk-folder.ts';
import type { DocsRoot } from '../source/docs-root.ts';
import { pathsWithin } from '../source/excluded-folders.ts';
import { type FoundRoot, findRoot, openSelected } from '../source/selected-root.ts';
import { NotAskedError } from '../system/found-place.ts';

/** A docs root, and the identity of its folder: another folder may come to lie at its path. */
export interface OpenedRoot {
  readonly root: DocsRoot;
  /** Where other docs roots lie, by name, or may have lain before they were away. Those places are not part of this root. */
  readonly others: ReadonlyMap<string, readonly string[]>;
  /** The identity as it was last found: an overlay reports another time of birth for a folder once something was written into it. */
  identity: string;
  /** The folder itself, which is closed with the root. */
  readonly top: DiskFolder;
}

/**
 * Opens the folder that lies at a docs root's path now.
 * @param known the root that was opened before
 * @returns undefined if it still is that folder and the same parts of it belong to other roots, or if that cannot be asked now; the reason if there is no
 * folder that can be read
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
    // If too many other disks do not answer, that says nothing about this one.
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
  // The root may still lie where it lay before.
  for (const [name, folder] of away) places.set(name, [...new Set([folder, ...(known.get(name) ?? [])])]);
  return places;
}

/** Whether the same parts of a docs root belong to other roots as before. */
function isSameWithin(docs: string, others: OpenedRoot['others'], before: OpenedRoot['others']): boolean {
  const [now, then] = [others, before].map((all) => pathsWithin(docs, [...all.values()].flat()).sort());
  return isDeepStrictEqual(now, then);
}

/** Whether the folder that was opened before now has this identity, so that it still is the same folder. */
async function isBornAnew(known: OpenedRoot, identity: string): Promise<boolean> {
  try {
    return (await known.top.identity()) === identity;
  } catch (error) {
    // The folder is gone, or was closed meanwhile.
    if (systemCodeOf(error) === undefined) throw error;
    return false;
  }
}

/** The identity of a folder. If it cannot be found out, the folder is closed. */
async function identityOf(top: DiskFolder): Promise<string> {
  try {
    return await top.identity();
  } catch (error) {
    top.close();
    throw error;
  }
}

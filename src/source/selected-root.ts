import {
  type DocsFolder,
  type DocsSelection,
  isHiddenOutside,
  pathInDocs,
  wayOf,
} from '../core/docs-selection.ts';
import { UserError } from '../core/errors.ts';
import { realPath } from '../disk/real-path.ts';
import type { DiskFolder } from './disk-folder.ts';
import type { DocsFoldersOptions } from './docs-folders.ts';
import {
  type DocsRoot,
  type DocsRootOptions,
  docsRootOf,
  findDocsFolder,
  openDocsRoot,
} from './docs-root.ts';
import { hiddenIn } from './excluded-folders.ts';
import { FileChoice } from './file-choice.ts';
import { ownMountPoints, ownMountsIn } from './own-mounts.ts';
import type { Exclude } from './visible-tree.ts';

/** Where other roots than one lie, without links, by their names. */
interface OtherRoots {
  /** Now: links on the way to them may lead elsewhere than when they were named. */
  readonly others: ReadonlyMap<string, string>;
  /** Of those that are away, where they lay when they were named: nothing is to be looked for there, though this root itself may have come to lie there. */
  readonly away: ReadonlyMap<string, string>;
}

/** A docs root's folder. */
export interface FoundRoot extends OtherRoots {
  readonly top: DiskFolder;
}

/** Finds them as where a mount is served. @throws UserError where the root is missing or no folder that this user can read */
export async function findRoot({ folders }: DocsSelection, root: DocsFolder): Promise<FoundRoot> {
  const others = new Map<string, string>();
  const away = new Map<string, string>();
  for (const other of othersOf(folders, root)) {
    const top = await findDocsFolder(wayOf(other)).catch((error: unknown) => {
      if (!(error instanceof UserError)) throw error;
    });
    if (top === undefined) away.set(other.name, other.folder);
    else others.set(other.name, top.realPath());
    top?.close();
  }
  return { top: await findDocsFolder(wayOf(root)), others, away };
}

function othersOf(folders: readonly DocsFolder[], { name }: DocsFolder): DocsFolder[] {
  return folders.filter((other) => other.name !== name);
}

function lookForOthers({ folders }: DocsSelection, root: DocsFolder): OtherRoots {
  const all = othersOf(folders, root);
  return {
    others: new Map(all.filter(({ isAway }) => !isAway).map((other) => [other.name, realPath(wayOf(other))])),
    away: new Map(all.filter(({ isAway }) => isAway).map(({ name, folder }) => [name, folder])),
  };
}

/**
 * One of the docs roots, with paths relative to itself.
 * @param found the folder, where it was found already; closed with the root, and where this throws
 * @throws UserError where it cannot be read, or where what lies there by now may not be one
 */
export function openSelected(
  selection: DocsSelection,
  root: DocsFolder,
  { excluded, report = () => {} }: DocsFoldersOptions,
  found?: FoundRoot,
): DocsRoot {
  // What is chosen of the docs says nothing of modules.
  const choice = root.name.startsWith('/') ? undefined : FileChoice.of(selection, root.name);
  // What is hidden follows from where the way to it leads now.
  let isHidden: Exclude = () => true;
  const options: DocsRootOptions = {
    exclude: (path) => isHidden(path),
    ...(choice === undefined ? {} : { choice }),
    report: (problem) => report({ ...problem, path: pathInDocs(root, problem.path) }),
  };
  const way = wayOf(root);
  if (root.isAway) throw new UserError(`the docs folder ${way} is away`);
  const { others, away } = found ?? lookForOthers(selection, root);
  const opened = found === undefined ? openDocsRoot(way, options) : docsRootOf(way, found.top, options);
  const { realPath: folder } = opened;
  const reason = [...others.values()].includes(folder)
    ? 'another docs root'
    : whyNoRoot(root, folder, excluded);
  if (reason === undefined) {
    const isExcluded = hiddenIn(folder, [...excluded, ...others.values(), ...away.values()]);
    const isOwnMount = ownMountsIn(folder);
    isHidden = (path) => isExcluded(path) || isOwnMount(path);
    return opened;
  }
  opened.close();
  throw new UserError(`the docs folder ${way} leads to ${folder}, ${reason}`);
}

/** What is refused where a root is named is none either where the way to it comes to lead there. @param folder where it lies now */
function whyNoRoot(
  { name, base, folder: named }: DocsFolder,
  folder: string,
  excluded: readonly string[],
): string | undefined {
  // All this was looked at when it was named.
  if (folder === named) return undefined;
  if (base !== undefined && isHiddenOutside(folder, base)) return `a hidden folder outside of ${base}`;
  // What is kept of modules lies in the state folder.
  if (name.startsWith('/')) return undefined;
  const around = [...excluded, ...ownMountPoints()].find((other) => `${folder}/`.startsWith(`${other}/`));
  return around && `which is no docs but part of ${around}`;
}

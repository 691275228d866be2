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

/** Where the other docs roots lie, without links, by name. */
interface OtherRoots {
  /** Where they lie now: links on the way may have changed since the roots were named. */
  readonly others: ReadonlyMap<string, string>;
  /** For roots that are away, where they lay when they were named. Nothing may be looked for there, even if this root itself has come to lie there. */
  readonly away: ReadonlyMap<string, string>;
}

/** The folder of a docs root. */
export interface FoundRoot extends OtherRoots {
  readonly top: DiskFolder;
}

/**
 * Finds a root and the others in the way that is safe for a process which serves a mount. @throws UserError if the root is missing or no folder that this user
 * can read
 */
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
 * Opens one of the docs roots, with paths relative to itself.
 * @param found the folder, if it was found already; closed with the root, and if this throws
 * @throws UserError if the root cannot be read, or if what lies at its path now may not be a root
 */
export function openSelected(
  selection: DocsSelection,
  root: DocsFolder,
  { excluded, report = () => {} }: DocsFoldersOptions,
  found?: FoundRoot,
): DocsRoot {
  // Patterns that choose docs do not apply to modules.
  const choice = root.name.startsWith('/') ? undefined : FileChoice.of(selection, root.name);
  // Which paths are hidden depends on where the way to the root leads now, which is only known once it is open.
  let isHidden: Exclude = () => true;
  const options: DocsRootOptions = {
    exclude: (path) => isHidden(path),
    ...(choice === undefined ? {} : { choice }),
    report: (problem) => report({ ...problem, path: pathInDocs(root, problem.path) }),
  };
  const way = wayOf(root);
  if (root.isAway) throw new UserError(`the docs folder ${way} is missing`);
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

/**
 * The reason why a folder may not be a docs root: a folder that would be refused when a root is named is refused as well if the way to a root comes to lead
 * there. @param folder where the root lies now
 */
function whyNoRoot(
  { name, base, folder: named }: DocsFolder,
  folder: string,
  excluded: readonly string[],
): string | undefined {
  // This folder was checked when the root was named.
  if (folder === named) return undefined;
  if (base !== undefined && isHiddenOutside(folder, base)) return `a hidden folder outside of ${base}`;
  // The kept files of modules lie in the state folder, so the next check would refuse them.
  if (name.startsWith('/')) return undefined;
  const around = [...excluded, ...ownMountPoints()].find((other) => `${folder}/`.startsWith(`${other}/`));
  return around && `which is no docs but part of ${around}`;
}

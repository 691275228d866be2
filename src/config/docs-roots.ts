import { existsSync, lstatSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { type DocsFolder, isHiddenOutside, wayOf } from '../core/docs-selection.ts';
import { EXIT, reasonOf, systemCodeOf, UserError } from '../core/errors.ts';
import { realPath } from '../disk/real-path.ts';
import { notedRoots } from '../state/noted-roots.ts';
import { placeInJson } from './json-places.ts';
import type { LoadedConfig } from './load.ts';
import { isRootName, noRootName } from './root-name.ts';
import { whatIsTooWide } from './wide-root.ts';

/** A docs root as the user has named it: a path, or a path with a name. `base` is that of {@link DocsFolder}. */
export type NamedRoot =
  | string
  | { readonly name: string; readonly path: string; readonly base?: string | undefined };

/** How docs roots are looked for. */
export interface RootsSought {
  /** Whether a root may be gone, so that the folder that was there is meant, or may not answer. Default: no. */
  readonly mayMissDocs?: boolean;
  /** Roots that do not answer, by the absolute paths that name them. Default: none. */
  readonly unanswered?: readonly string[];
}

/** The folder that contains the docs if none is named, whether it exists or not. */
export function usualDocs(workingFolder: string): string {
  return join(workingFolder, 'docs');
}

/** The absolute path that a root is named by. */
export function wayNamed(root: NamedRoot, workingFolder: string): string {
  return resolve(workingFolder, typeof root === 'string' ? root : root.path);
}

/**
 * The roots that the command line names.
 * @throws UserError if one is not a folder, or two have the same name
 */
export function rootsOfFlags(
  given: readonly NamedRoot[],
  workingFolder: string,
  sought: RootsSought,
): readonly DocsFolder[] {
  const wrong = (why: string, way: string) => `${way}: ${why} (--docs)`;
  return named(given.map((root) => settle(root, workingFolder, wrong, sought)));
}

/**
 * The roots that a config file names. It may come from a stranger, so it cannot name anything in a hidden folder outside of its own folder, where
 * people keep keys.
 * @throws UserError as {@link rootsOfFlags}
 */
export function rootsOfConfig(
  given: NamedRoot | readonly NamedRoot[],
  { file, text, config }: Pick<LoadedConfig, 'file' | 'text' | 'config'>,
  base: string,
  sought: RootsSought,
): readonly DocsFolder[] {
  const roots = [given].flat().map((root, index) => {
    const key = Array.isArray(given) ? ['docs', index] : ['docs'];
    const { line, column } = placeInJson(text ?? '', key);
    const wrong = (why: string, way: string) =>
      `${file}:${line}:${column}: ${key.join('.')}: ${why}: ${way}; make it, or correct this setting`;
    const settled = unhidden(settle(root, base, wrong, sought), base);
    const wide = sought.mayMissDocs ? undefined : tooWideIn(base, settled.folder);
    if (wide === undefined) return settled;
    throw new UserError(
      `${file}:${line}:${column}: ${key.join('.')}: ${settled.folder} is ${wide}; name a folder of docs in it, or all of it by ${allOf(settled.folder, base, config.state)}`,
      EXIT.wrongUsage,
    );
  });
  return named(roots);
}

/**
 * `docs` if it is a folder, or a link that was one; else the indexed docs, if those are missing; else the folder itself.
 * @param namedState the state folder, if the user has named one
 * @throws UserError if `docs` is a link to a hidden folder elsewhere
 */
export function usualRoots(
  workingFolder: string,
  namedState: string | undefined,
  { mayMissDocs = false, unanswered = [] }: RootsSought = {},
): readonly DocsFolder[] {
  const usual = usualDocs(workingFolder);
  if (unanswered.includes(usual)) {
    if (!mayMissDocs) throw noAnswer(usual);
    return [{ name: '', folder: usual, isAway: true }];
  }
  if (isDangling(usual) || isFolder(usual)) {
    const root = unhidden({ name: '', ...folderAt(usual) }, workingFolder);
    if (!mayMissDocs && isLink(usual)) refuseWideLink(usual, root.folder, workingFolder, namedState);
    return [root];
  }
  const folder = realpathSync(workingFolder);
  const state = namedState ?? stateBeside(folder, folder, undefined);
  const noted = notedRoots(state) ?? [];
  const isOther = noted.every((root) => root.folder !== folder);
  // A state folder that only names folders elsewhere may belong to a project that was moved.
  const isBeside = dirname(state) === folder;
  if (isBeside && isOther && noted.some((root) => !isFolder(root.folder))) return noted;
  if (!mayMissDocs && isOther) refuseWide(folder);
  return [{ name: '', folder, base: folder }];
}

/**
 * For docs that were not named: if they are missing, the whole folder does not take their place.
 * @throws UserError if a docs root is missing
 */
export function refuseAway(folders: readonly DocsFolder[], state: string, workingFolder: string): void {
  const away = folders.map(wayOf).filter((way) => !isFolder(way));
  const [first] = away;
  if (first === undefined) return;
  if (isDangling(first))
    throw new UserError(
      `${first}: this link does not lead to a folder; fix it, or name the docs with --docs`,
    );
  throw new UserError(
    `${away.join(', ')}: this docs folder, which the index in ${state} was made from, is missing; put it back, or use all of ${workingFolder} as the docs with --docs ${workingFolder}`,
  );
}

/**
 * Says what a folder is that nobody means as docs. In a home folder, a config file or link beside the docs says what its owner wants. That of the whole machine is
 * most likely a mistake.
 * @param base the folder of the config file or link
 */
function tooWideIn(base: string, folder: string): string | undefined {
  return folder !== '/' && folder === realpathSync(base) ? undefined : whatIsTooWide(folder);
}

/** The options that take a folder as docs, whatever it is, with the state folder that there would be without them: the one beside the folder may not be writable. */
function allOf(folder: string, base: string, state: string | undefined): string {
  return `--docs ${folder}${state === undefined ? ` --state ${stateBeside(folder, base, base)}` : ''}`;
}

/** Refuses a link that may have come along with a project, whatever index did, too. @throws UserError */
function refuseWideLink(link: string, folder: string, base: string, state: string | undefined): void {
  const wide = tooWideIn(base, folder);
  if (wide === undefined) return;
  throw new UserError(
    `${link}: this link leads to ${folder}, which is ${wide}; let it lead to a folder of docs, or name the docs with --docs. If all of it is meant: ${allOf(folder, base, state)}`,
    EXIT.wrongUsage,
  );
}

/** Refuses a folder that nobody has named. @throws UserError */
function refuseWide(folder: string): void {
  const wide = whatIsTooWide(folder);
  if (wide === undefined) return;
  throw new UserError(
    `${folder}: this is ${wide}, and has no folder docs; go to the folder of a project, or name the docs with --docs. If all of it is meant: --docs ${folder}`,
    EXIT.wrongUsage,
  );
}

function noAnswer(way: string): UserError {
  return new UserError(
    `${way}: the disk that these docs lie on does not answer; try again when it does, or name other docs with --docs`,
  );
}

function settle(
  root: NamedRoot,
  workingFolder: string,
  wrong: (why: string, way: string) => string,
  { mayMissDocs = false, unanswered = [] }: RootsSought,
): DocsFolder {
  const { name, base } = typeof root === 'string' ? { name: undefined, base: undefined } : root;
  const way = wayNamed(root, workingFolder);
  if (unanswered.includes(way)) {
    if (!mayMissDocs) throw noAnswer(way);
    return { name: name ?? basename(way), folder: way, isAway: true };
  }
  if (!mayMissDocs && !isFolder(way)) throw new UserError(wrong(whyNoFolder(way), way));
  const settled = { name: name ?? basename(way), ...folderAt(way) };
  return base === undefined ? settled : unhidden(settled, base);
}

/** Why a path that the user has named is not a folder. */
export function whyNoFolder(path: string): string {
  return existsSync(path) ? 'this is not a folder' : 'there is no such folder';
}

function folderAt(way: string): Pick<DocsFolder, 'folder' | 'way'> {
  const folder = realPath(way);
  return folder === way ? { folder } : { folder, way };
}

/** A single root needs no name. */
function named(roots: readonly DocsFolder[]): readonly DocsFolder[] {
  if (roots.length === 1) return roots.map((root) => ({ ...root, name: '' }));
  const seen = new Map<string, DocsFolder>();
  for (const root of roots) {
    refuseName(root);
    const same = [...seen.values()].find(({ folder }) => folder === root.folder);
    if (same !== undefined)
      throw new UserError(`${root.folder}: this docs root is given twice`, EXIT.wrongUsage);
    const other = seen.get(root.name.toLowerCase());
    if (other !== undefined) {
      throw new UserError(
        `${other.folder} and ${root.folder} are both named "${root.name}"; give them names in the config file: {"docs": [{"name": "${root.name}", "path": "…"}, {"name": "other", "path": "…"}]}`,
        EXIT.wrongUsage,
      );
    }
    seen.set(root.name.toLowerCase(), root);
  }
  return roots;
}

function refuseName({ name, folder }: DocsFolder): void {
  if (isRootName(name)) return;
  throw new UserError(
    `${folder}: ${noRootName(name)}. Name it in the config file: {"name": "…", "path": "…"}`,
    EXIT.wrongUsage,
  );
}

/** @throws UserError if it is a hidden folder elsewhere */
function unhidden(root: DocsFolder, workingFolder: string): DocsFolder {
  const base = realpathSync(workingFolder);
  if (!isHiddenOutside(root.folder, base)) return { ...root, base };
  throw new UserError(
    `${root.folder}: a hidden folder outside the project can be a docs root only by --docs, not by a config file or a link`,
    EXIT.wrongUsage,
  );
}

/** The state folder, unless another one is named: see {@link stateBeside}. */
const STATE_FOLDER_NAME = '.kgraphfs';

/**
 * The default place of the state: beside the first docs root, so that memory and history stay where they are when a root is added. If that root is
 * the working folder, it is inside, like `.git`: beside it could be a folder that other projects share. Hidden folders are not docs, so it is not
 * shown either way.
 * @param limit a folder outside which nothing may be written; if the state would be outside, it is in this folder
 */
export function stateBeside(first: string, workingFolder: string, limit: string | undefined): string {
  const beside = first === realpathSync(workingFolder) ? first : dirname(first);
  const isAllowed = limit === undefined || `${beside}/`.startsWith(`${realpathSync(limit)}/`);
  return join(isAllowed ? beside : realpathSync(limit), STATE_FOLDER_NAME);
}

/**
 * Refuses a state folder that is or contains a docs root: its content is not docs.
 * @param origin what has named the state folder
 * @throws UserError
 */
export function refuseAround(state: string, folders: readonly DocsFolder[], origin: 'flag' | 'config'): void {
  const held = folders.find(({ folder }) =>
    `${folder}/`.startsWith(`${realPath(state)}/`.replace('//', '/')),
  );
  if (held === undefined) return;
  const option = origin === 'flag' ? '--state' : '"state" in the config file';
  throw new UserError(
    `${state}: the state folder cannot be, or contain, the docs root ${held.folder}; choose a separate folder with ${option}, such as ${join(state, STATE_FOLDER_NAME)}`,
    EXIT.wrongUsage,
  );
}

/** Whether a path leads into a folder, after all links on its way that exist already. */
export function isReallyInside(path: string, folder: string): boolean {
  return path.startsWith(`${folder}/`) && realPath(path).startsWith(`${realpathSync(folder)}/`);
}

function isDangling(path: string): boolean {
  return !existsSync(path) && lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}

/** False if a part of the path is a file. @throws UserError if the disk does not tell */
export function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  } catch (error) {
    if (systemCodeOf(error) === 'ENOTDIR') return false;
    throw new UserError(`${path}: cannot be looked at: ${reasonOf(error)}`, EXIT.failed, { cause: error });
  }
}

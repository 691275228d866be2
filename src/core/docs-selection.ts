/** Which files of this machine are the docs: one folder or several, and which of their files are chosen. */

import { relative } from 'node:path';
import type { SchemaRules } from './schema-rules.ts';

/** A docs root. */
export interface DocsFolder {
  /** The first part of the paths of its documents where there are several roots; empty where it is the only one. */
  readonly name: string;
  /** Absolute, without links: where it lay when it was named. */
  readonly folder: string;
  /** The absolute path by which it was named, and where it is looked for: links on that path may come to lead elsewhere. Default: `folder`. */
  readonly way?: string;
  /** A folder, without links. The root must not come to be a hidden folder outside it: see {@link isHiddenOutside}. Default: no such limit. */
  readonly base?: string;
  /** Whether not to look for it, since it is missing or its disk does not answer. */
  readonly isAway?: boolean;
}

/** The texts of a module, kept on disk so that they can be read as docs. `name` is the module's path in the mount: `/modules/api`. */
export interface ModuleFolder extends DocsFolder {
  /** Whether its documents are read into the graph. Otherwise they are only searched. */
  readonly joinsGraph: boolean;
}

export interface DocsSelection {
  /** At least one. */
  readonly folders: readonly DocsFolder[];
  /** Texts of modules: read like docs, but not shown in `docs/`. Paths of their documents begin with a slash. The folders need not exist. Default: none. */
  readonly modules?: readonly ModuleFolder[];
  /** Patterns of files to show, as in gitignore(5), relative to each root. With several roots, a pattern that begins with the name of one applies to that one alone. If empty, all files are shown. */
  readonly include: readonly string[];
  /** Patterns of files to leave out; they win over `include`. */
  readonly exclude: readonly string[];
  /** The rules of the schema map by which the docs are read. */
  readonly schema?: SchemaRules | undefined;
}

/** A path of the docs, as a root and a path within it. */
export interface DocsPlace {
  readonly root: DocsFolder;
  /** Relative to the root; `` for the root itself. */
  readonly path: string;
}

/** Where a docs root is looked for. */
export function wayOf({ folder, way }: DocsFolder): string {
  return way ?? folder;
}

/**
 * The docs at the places where they were found, for a reader that must not follow links to them: a link may come to lead to a disk that does not answer.
 * @param found the folder of each root that exists, absolute and without links, by the root's name
 */
export function docsAsFound(docs: DocsSelection, found: ReadonlyMap<string, string>): DocsSelection {
  const folders = docs.folders.map((root): DocsFolder => {
    const folder = found.get(root.name);
    if (folder === undefined) return { ...root, isAway: true };
    // `base` is kept: a link may take the folder's place before it is opened, and must not lead to a hidden folder.
    return { name: root.name, folder, ...(root.base === undefined ? {} : { base: root.base }) };
  });
  return { ...docs, folders };
}

/** Whether a folder lies outside of `base` and in a dot folder, where people keep keys. @param folder absolute and without links, like `base` */
export function isHiddenOutside(folder: string, base: string): boolean {
  const names = relative(base, folder).split('/');
  return names[0] === '..' && names.some((name) => name !== '..' && name.startsWith('.'));
}

/** Splits a path of the docs into a root and the path within it; undefined if it belongs to none, like the empty path if there are several roots. */
export function placeOf(selection: DocsSelection, path: string): DocsPlace | undefined {
  if (path.startsWith('/')) return placeInModule(selection, path);
  const { folders } = selection;
  const [first] = folders;
  if (first !== undefined && folders.length === 1) return { root: first, path };
  const slash = path.indexOf('/');
  const name = slash === -1 ? path : path.slice(0, slash);
  const root = name === '' ? undefined : folders.find((folder) => folder.name === name);
  return root && { root, path: slash === -1 ? '' : path.slice(slash + 1) };
}

function placeInModule({ modules = [] }: DocsSelection, path: string): DocsPlace | undefined {
  const root = modules.find(({ name }) => path === name || path.startsWith(`${name}/`));
  return root && { root, path: path.slice(root.name.length + 1) };
}

/** Whether a document is only searched, and not read into the graph. */
export function isSearchedOnly({ modules = [] }: DocsSelection, path: string): boolean {
  return (
    path.startsWith('/') && modules.some(({ name, joinsGraph }) => !joinsGraph && path.startsWith(`${name}/`))
  );
}

const DOCS = '/docs/';

/** The path of a document in the mount: `/docs/charges/create.md`, or one below `/modules`. */
export function mountPathOf(path: string): string {
  return path.startsWith('/') ? path : `${DOCS}${path}`;
}

/** The path of the document that a path of the mount shows; undefined if it can show none. */
export function documentAt(mountPath: string): string | undefined {
  if (mountPath.startsWith(DOCS)) return mountPath.slice(DOCS.length);
  return mountPath.startsWith('/modules/') ? mountPath : undefined;
}

/** The path of the docs for a path within a root: what evidence, links and `docs/` of the mount call it. */
export function pathInDocs({ name }: DocsFolder, path: string): string {
  if (name === '') return path;
  return path === '' ? name : `${name}/${path}`;
}

/**
 * Which root a file of this machine lies in: the innermost, where one root lies in another.
 * @param file absolute, without links and `..`
 */
export function placeOnDisk({ folders }: DocsSelection, file: string): DocsPlace | undefined {
  let found: DocsPlace | undefined;
  for (const root of folders) {
    const base = root.folder === '/' ? '' : root.folder;
    const isInside = file === root.folder || file.startsWith(`${base}/`);
    if (!isInside || (found !== undefined && found.root.folder.length >= root.folder.length)) continue;
    found = { root, path: file.slice(base.length + 1) };
  }
  return found;
}

/** The docs roots in one line, equal for equal roots in any order. It shows paths of this machine. */
export function docsText({ folders }: Pick<DocsSelection, 'folders'>): string {
  const texts = folders.map(({ name, folder }) => (name === '' ? folder : `${name}=${folder}`));
  return texts.sort().join(', ');
}

/** The patterns that choose files in one line, equal for equal patterns. */
export function choiceText({ include, exclude }: DocsSelection): string {
  return JSON.stringify({ include, exclude });
}

/** The docs as JSON: the path of the only root, or all roots with their names. */
export type DocsView = string | { name: string; path: string }[];

export function docsView({ folders }: Pick<DocsSelection, 'folders'>): DocsView {
  const [first] = folders;
  if (first !== undefined && folders.length === 1) return first.folder;
  return folders.map(({ name, folder }) => ({ name, path: folder }));
}

/** A view of the docs in one line. */
export function docsViewText(view: DocsView): string {
  return typeof view === 'string' ? view : view.map(({ name, path }) => `${name}=${path}`).join(', ');
}

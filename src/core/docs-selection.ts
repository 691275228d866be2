/** Which files of this machine are the docs: one folder or several, and which of their files are chosen. */

import { relative } from 'node:path';
import type { SchemaRules } from './schema-rules.ts';

/** A docs root. */
export interface DocsFolder {
  /** The first part of the paths of its documents where there are several roots; empty where it is the only one. */
  readonly name: string;
  /** Absolute, without links: where it lay when it was named. */
  readonly folder: string;
  /** The path that named it, absolute, where links on it may come to lead elsewhere: the root is looked for there. Default: `folder`. */
  readonly way?: string;
  /** A folder, without links, outside of which it may come to be no hidden one: see {@link isHiddenOutside}. Default: it may be any. */
  readonly base?: string;
  /** It is not to be looked for: it is missing, or its disk does not answer. */
  readonly isAway?: boolean;
}

/** Texts of a module, kept on disk so that they are read as docs are. Its `name` is the module's path in the mount: `/modules/api`. */
export interface ModuleFolder extends DocsFolder {
  /** Whether its documents are read into the graph, too. Else they are searched only. */
  readonly joinsGraph: boolean;
}

export interface DocsSelection {
  /** At least one. */
  readonly folders: readonly DocsFolder[];
  /** Texts of modules: read like docs, but not shown in `docs/`. A folder may be missing on disk. Paths of their documents begin with a slash. Default: none. */
  readonly modules?: readonly ModuleFolder[];
  /** Patterns as in gitignore(5), relative to each root. With several roots, a pattern that begins with the name of one applies to that one alone. Empty: all files. */
  readonly include: readonly string[];
  /** Patterns of files to leave out; they win over `include`. */
  readonly exclude: readonly string[];
  /** The rules of the schema map by which the docs are read. */
  readonly schema?: SchemaRules | undefined;
}

/** A path of the docs, and which root it belongs to. */
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
 * The docs where they were found, for who is to follow no link there: it may have come to lead to a disk that does not answer.
 * @param found where each root lies that is there, absolute and without links, by its name
 */
export function docsAsFound(docs: DocsSelection, found: ReadonlyMap<string, string>): DocsSelection {
  const folders = docs.folders.map((root): DocsFolder => {
    const folder = found.get(root.name);
    if (folder === undefined) return { ...root, isAway: true };
    // A link may take the folder's place before it is opened, and it is to lead to no hidden one.
    return { name: root.name, folder, ...(root.base === undefined ? {} : { base: root.base }) };
  });
  return { ...docs, folders };
}

/** Whether a folder lies outside of another one and in a dot folder, where people keep keys. @param folder absolute, without links, as `base` is */
export function isHiddenOutside(folder: string, base: string): boolean {
  const names = relative(base, folder).split('/');
  return names[0] === '..' && names.some((name) => name !== '..' && name.startsWith('.'));
}

/** Which root a path of the docs belongs to; undefined where it names none, as the empty path does where there are several. */
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

/** Whether a document is searched only, and not read into the graph. */
export function isSearchedOnly({ modules = [] }: DocsSelection, path: string): boolean {
  return (
    path.startsWith('/') && modules.some(({ name, joinsGraph }) => !joinsGraph && path.startsWith(`${name}/`))
  );
}

const DOCS = '/docs/';

/** Where a document is in the mount: `/docs/charges/create.md`, or in a module. */
export function mountPathOf(path: string): string {
  return path.startsWith('/') ? path : `${DOCS}${path}`;
}

/** The document at a path of the mount; undefined where there can be none. */
export function documentAt(mountPath: string): string | undefined {
  if (mountPath.startsWith(DOCS)) return mountPath.slice(DOCS.length);
  return mountPath.startsWith('/modules/') ? mountPath : undefined;
}

/** The path of the docs for a path of a root: what evidence, links and `docs/` of the mount call it. */
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

/** The docs roots in one line, the same for the same roots in any order. It has paths of this machine. */
export function docsText({ folders }: Pick<DocsSelection, 'folders'>): string {
  const texts = folders.map(({ name, folder }) => (name === '' ? folder : `${name}=${folder}`));
  return texts.sort().join(', ');
}

/** The chosen files in one line: equal for equal patterns. */
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

/** What a view says, in one line. */
export function docsViewText(view: DocsView): string {
  return typeof view === 'string' ? view : view.map(({ name, path }) => `${name}=${path}`).join(', ');
}

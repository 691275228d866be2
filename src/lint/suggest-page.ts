import { groupBy } from '../core/group.ts';
import { isMarkdown, withoutMarkdownEnding } from '../core/markdown-ending.ts';
import { baseName, folderOf } from '../core/paths.ts';
import { NearNames } from '../text/near-names.ts';
import type { Docs } from './docs.ts';
import { foldCase, relativePath } from './paths.ts';

/** A page by the name that it has on a built site. */
const PAGE_OF_SITE = /\.html?$/i;

/**
 * The file that a link most likely means: the only one of that name elsewhere, or the one with the most similar name, preferably in the same folder.
 * @param folder in which the link looks for it
 */
export function likelyFile(docs: Docs, folder: string, path: string): string | undefined {
  const page = path.replace(PAGE_OF_SITE, '');
  const name = baseName(page);
  const kind = kindMeant(path);
  const moved = docs.names.named(name).filter((file) => kindOf(file) === kind);
  if (moved.length === 1) return moved[0];
  const files = filesOf(docs, kind);
  const key = nameOf(name);
  return (
    onlyOne(files.inFolder(folder).nearestTo(key)) ??
    files.paths.nearestTo(pathOf(page))[0] ??
    onlyOne(files.names.nearestTo(key))
  );
}

function onlyOne(files: readonly string[]): string | undefined {
  return files.length === 1 ? files[0] : undefined;
}

const MARKDOWN = '.md';

/** The ending of markdown for pages, else the path's own. */
function kindMeant(path: string): string {
  return PAGE_OF_SITE.test(path) ? MARKDOWN : (kindOf(path) ?? MARKDOWN);
}

function kindOf(file: string): string | undefined {
  return isMarkdown(file) ? MARKDOWN : /\.[a-z\d]+$/.exec(file.toLowerCase())?.[0];
}

function nameOf(file: string): string {
  return withoutMarkdownEnding(baseName(file));
}

function pathOf(file: string): string {
  return foldCase(withoutMarkdownEnding(file));
}

/** Files by keys, to find the one with the most similar key. */
class NearFiles {
  readonly #byKey: ReadonlyMap<string, readonly string[]>;
  readonly #keys: NearNames;

  constructor(files: Iterable<string>, keyOf: (file: string) => string) {
    this.#byKey = groupBy(files, keyOf);
    this.#keys = new NearNames(this.#byKey.keys());
  }

  nearestTo(key: string): readonly string[] {
    const near = this.#keys.nearestTo(key);
    return near === undefined ? [] : (this.#byKey.get(near) ?? []);
  }
}

/** Files of one kind, of which a link may mean one. */
class FilesOfKind {
  readonly names: NearFiles;
  /** For links with a misspelt folder. */
  readonly paths: NearFiles;
  readonly #inFolders: ReadonlyMap<string, NearFiles>;

  constructor(files: readonly string[]) {
    this.names = new NearFiles(files, nameOf);
    this.paths = new NearFiles(files, pathOf);
    const inFolders = Array.from(groupBy(files, folderOf));
    this.#inFolders = new Map(inFolders.map(([folder, those]) => [folder, new NearFiles(those, nameOf)]));
  }

  inFolder(folder: string): NearFiles {
    return this.#inFolders.get(folder) ?? NO_FILES;
  }
}

const NO_FILES = new NearFiles([], nameOf);
const filesByKind = new WeakMap<Docs, ReadonlyMap<string, FilesOfKind>>();

function filesOf(docs: Docs, kind: string): FilesOfKind {
  let kinds = filesByKind.get(docs);
  if (kinds === undefined) {
    const grouped = Array.from(groupBy(docs.names.files(), (file) => kindOf(file) ?? ''));
    kinds = new Map(grouped.map(([one, files]) => [one, new FilesOfKind(files)]));
    filesByKind.set(docs, kinds);
  }
  return kinds.get(kind) ?? new FilesOfKind([]);
}

/** The target of a link to a file, in the style of the one that it replaces. @param tail query and fragment */
export function targetFor(file: string, from: string, written: string, path: string, tail: string): string {
  const hasEnding = isMarkdown(path) || !isMarkdown(file);
  const ending = PAGE_OF_SITE.exec(path)?.[0] ?? '';
  const shown = hasEnding ? file : withoutMarkdownEnding(file) + ending;
  const target = path.startsWith('/') ? `/${shown}` : relativePath(folderOf(from), shown);
  const dotted = path.startsWith('./') && !target.startsWith('.') ? `./${target}` : target;
  const encoded =
    written.includes('%') || / /.test(dotted)
      ? encodeURI(dotted).replace(/[()]/g, escapeParenthesis)
      : dotted;
  return encoded + tail;
}

function escapeParenthesis(character: string): string {
  return character === '(' ? '%28' : '%29';
}

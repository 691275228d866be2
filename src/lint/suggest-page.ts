import { nearest } from '../core/near.ts';
import { baseName, folderOf } from '../core/paths.ts';
import type { Docs } from './docs.ts';
import { foldCase, isMarkdown, relativePath, withoutMarkdownEnding } from './paths.ts';

/** As a built site calls a page. */
const PAGE_OF_SITE = /\.html?$/i;

/**
 * The file that a link most likely means: the only one of that name elsewhere, or the one whose name is near it, in the same folder first.
 * @param folder in which the link looks for it
 */
export function likelyFile(docs: Docs, folder: string, path: string): string | undefined {
  const page = path.replace(PAGE_OF_SITE, '');
  const name = baseName(page);
  const moved = docs.names.named(name).filter((file) => isSameKind(file, path));
  if (moved.length === 1) return moved[0];
  const inFolder: string[] = [];
  const all: string[] = [];
  for (const file of docs.names.files()) {
    if (!isSameKind(file, path)) continue;
    all.push(file);
    if (folderOf(file) === folder) inFolder.push(file);
  }
  const key = withoutMarkdownEnding(name);
  const keyOf = (file: string) => withoutMarkdownEnding(baseName(file));
  return fileNearest(key, inFolder, keyOf) ?? misspeltFolder(page, all) ?? fileNearest(key, all, keyOf);
}

/** Markdown for pages, anything else by its ending. */
function isSameKind(file: string, path: string): boolean {
  const ending = /\.[a-z\d]+$/i.exec(path)?.[0].toLowerCase();
  return ending === undefined || isMarkdown(path) || PAGE_OF_SITE.test(path)
    ? isMarkdown(file)
    : file.toLowerCase().endsWith(ending);
}

function fileNearest(
  name: string,
  files: readonly string[],
  keyOf: (file: string) => string,
): string | undefined {
  const near = nearest(name, new Set(files.map(keyOf)));
  const named = near === undefined ? [] : files.filter((file) => keyOf(file) === near);
  return named.length === 1 ? named[0] : undefined;
}

/** The whole path is near that of one file. */
function misspeltFolder(path: string, files: readonly string[]): string | undefined {
  const wanted = foldCase(withoutMarkdownEnding(path));
  const near = nearest(
    wanted,
    files.map((file) => foldCase(withoutMarkdownEnding(file))),
  );
  return near === undefined
    ? undefined
    : files.find((file) => foldCase(withoutMarkdownEnding(file)) === near);
}

/** A link's target for a file, in the manner of the one that it replaces. @param tail query and fragment */
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

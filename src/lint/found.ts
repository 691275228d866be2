import { isMarkdown, withoutMarkdownEnding } from '../core/markdown-ending.ts';
import type { Docs } from './docs.ts';

/** What the path of a link names. */
export type Found =
  | { readonly kind: 'file' | 'folder'; readonly path: string }
  /** Found only if letter case is ignored. */
  | { readonly kind: 'case'; readonly path: string }
  /** Outside of the docs root. */
  | { readonly kind: 'outside' }
  /** It may exist: on the site, or among hidden files. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'missing' };

/** @param candidates relative to the docs root */
export function firstFound(docs: Docs, candidates: readonly string[]): Found | undefined {
  for (const candidate of candidates) {
    const found = findAt(docs, candidate);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** All files that the candidates name. */
export function allFound(docs: Docs, candidates: readonly string[]): string[] {
  return candidates.flatMap((candidate) => {
    const found = findAt(docs, candidate);
    return found?.kind === 'file' ? found.path : [];
  });
}

/** The endings of markdown. */
export const ENDINGS = ['.md', '.mdx', '.markdown'];
const INDEXES = [
  'index.md',
  'README.md',
  'readme.md',
  '_index.md',
  'index.mdx',
  'Readme.md',
  'README.mdx',
  'index.html',
  // Pages of Next.js
  'page.mdx',
  'page.md',
];
/** The endings of pages that are not markdown, in any folder. */
const PAGE_ENDINGS = ['.html', '.rst', '.ipynb', '.adoc'];
/** The endings of pages that are programs, in the folders in which sites have them. */
const PROGRAM_ENDINGS = ['.astro', '.vue', '.svelte', '.js', '.jsx', '.ts', '.tsx'];
const PROGRAM_PAGES = /(?:^|\/)(?:pages|routes)\//;

function findAt({ names }: Docs, path: string): Found | undefined {
  if (names.hasFile(path)) return { kind: 'file', path };
  const page = path.replace(/\/index\.html?$/i, '').replace(/\.html?$/i, '');
  for (const ending of ENDINGS)
    if (names.hasFile(page + ending)) return { kind: 'file', path: page + ending };
  if (names.hasFolder(page)) {
    const prefix = page === '' ? '' : `${page}/`;
    const index = INDEXES.find((name) => names.hasFile(prefix + name));
    return index === undefined ? { kind: 'folder', path: page } : { kind: 'file', path: prefix + index };
  }
  if (isMarkdown(path)) return undefined;
  const endings = PROGRAM_PAGES.test(page) ? [...PAGE_ENDINGS, ...PROGRAM_ENDINGS] : PAGE_ENDINGS;
  for (const ending of endings)
    if (names.hasFile(page + ending)) return { kind: 'file', path: page + ending };
  return numbered(names.withRouteEnd(page), page);
}

/** Finds `01-guide/02-intro.md` for `guide/intro`. */
function numbered(paths: readonly string[], page: string): Found | undefined {
  const path = paths.find((candidate) => unnumbered(withoutMarkdownEnding(candidate)) === unnumbered(page));
  return path === undefined ? undefined : { kind: 'file', path };
}

function unnumbered(path: string): string {
  return path.replace(/(^|\/)\d+[-_.]+(?=[^/])/g, '$1').replace(/\/(?:_?index|readme)$/i, '');
}

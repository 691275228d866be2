import { withoutMarkdownEnding } from '../core/markdown-ending.ts';
import { baseName, folderOf } from '../core/paths.ts';
import type { Docs } from './docs.ts';
import { foldName } from './file-names.ts';
import type { Found } from './found.ts';
import { foldCase, joinPath } from './paths.ts';

/** The parts of a wikilink: `[[page#heading]]`, `[[page#^block]]`, `[[page@position]]`, `[[page$anchor]]`. */
export interface WikiTarget {
  /** Empty for the document itself. */
  readonly page: string;
  readonly heading: string | undefined;
}

/** Expressions of template languages, tables of contents, other sites, and pages of SilverBullet that are not indexed (`^page`). */
const NO_PAGE = /\$\{|\{\{|\{%|<%|^_?toc_?$|^[a-z][a-z\d+.-]*:\/\/|^mailto:|^[\d\s.,:-]+$|^\^|\n/i;
const HAS_LETTER = /\p{L}|\p{N}/u;

/** @returns undefined for text that is not meant as a link to a page */
export function parseWikilink(raw: string): WikiTarget | undefined {
  const target = raw.trim();
  if (NO_PAGE.test(target) || !HAS_LETTER.test(target)) return undefined;
  const hash = target.indexOf('#');
  const page = (hash === -1 ? target : target.slice(0, hash)).trim();
  const heading = hash === -1 ? undefined : target.slice(hash + 1).trim();
  return { page, heading: heading === '' ? undefined : heading };
}

/**
 * What the page of a wikilink names, by the rules of Obsidian and others: a path from the root, the end of a path, the name of any file, an alias.
 * @param page not empty
 */
export function findWikiPage(docs: Docs, from: string, page: string): Found {
  const whole = findNamed(docs, from, page);
  if (whole !== undefined) return whole;
  const bare = page.replace(/[@$].*$|\^[\w-]+$/, '').trim();
  if (bare !== page) {
    if (bare === '') return { kind: 'file', path: from };
    const found = findNamed(docs, from, bare);
    if (found !== undefined) return found;
  }
  return isWikiOf(docs) ? { kind: 'missing' } : { kind: 'unknown' };
}

function findNamed(docs: Docs, from: string, page: string): Found | undefined {
  const { names, settings } = docs;
  const isRelative = /^\.\.?\//.test(page);
  const path = isRelative
    ? joinPath(folderOf(from), page, settings.rootName)
    : page.replace(/^\/+|\/+$/g, '');
  if (path === undefined) return { kind: 'outside' };
  for (const exact of [path, `${path}.md`, `${path}.mdx`]) {
    if (names.hasFile(exact)) return { kind: 'file', path: exact };
  }
  const wanted = foldName(path);
  const candidates = names
    .named(baseName(path))
    .filter((candidate) => {
      const own = foldName(candidate);
      return own === wanted || own.endsWith(`/${wanted}`);
    })
    .sort((a, b) => a.split('/').length - b.split('/').length || a.length - b.length);
  const same = candidates.find((candidate) => hasEnd(candidate, path));
  if (same !== undefined) return { kind: 'file', path: same };
  const called = docs.calledByItself(path);
  if (called !== undefined) return { kind: 'file', path: called };
  const [near] = candidates;
  if (near === undefined) return names.hasFolder(path) ? { kind: 'folder', path } : undefined;
  return { kind: differsInCaseOnly(near, path) ? 'case' : 'file', path: near };
}

/** The page that a wikilink with this text would lead to, in the same letter case. */
export function pageCalled(docs: Docs, from: string, page: string): string | undefined {
  const found = findNamed(docs, from, page);
  return found?.kind === 'file' ? found.path : undefined;
}

function hasEnd(candidate: string, path: string): boolean {
  const bare = withoutMarkdownEnding(candidate);
  return [candidate, bare].some((own) => own === path || own.endsWith(`/${path}`));
}

/** Wikis write spaces as hyphens or underscores in the names of files. */
function differsInCaseOnly(candidate: string, path: string): boolean {
  return hasEnd(foldCase(candidate), foldCase(path));
}

const PAGE_NAME = /^[\p{L}\p{N}][\p{L}\p{N}\p{M} _./'’&()+,!-]*$/u;
/** Several words, or one with a capital: options, attributes and tables of TOML do not look like this. */
const PAGE_TITLE = /^(?:[\p{L}\p{N}]+(?:[ /-]+[\p{L}\p{N}]+)+|\p{Lu}\p{Ll}+)$/u;
const ENOUGH_TO_BE_NO_WIKI = 3;
/** The ratio in a wiki in bad order. */
const MISSING_TO_FOUND = 3;

/** Counts of different pages that wikilinks name. */
interface WikiUse {
  readonly found: number;
  /** Among those that exist, or would if letter case is ignored. */
  readonly inOtherCase: number;
  readonly missing: ReadonlySet<string>;
}

const uses = new WeakMap<Docs, WikiUse>();

/** Whether double brackets mean pages in these docs at all: in others they are arrays, attributes, tables of TOML or tests of a shell. */
export function isWikiOf(docs: Docs): boolean {
  const { found, missing } = wikiUse(docs);
  if (found > 0) return found * MISSING_TO_FOUND >= missing.size;
  const isLikely = missing.size < ENOUGH_TO_BE_NO_WIKI ? PAGE_NAME : PAGE_TITLE;
  return [...missing].every((page) => isLikely.test(page));
}

/** Whether images are found by their names in any folder, as in Obsidian. */
export function findsByName(docs: Docs): boolean {
  return wikiUse(docs).found > 0 && isWikiOf(docs);
}

/** If this many pages, and this share of all, are written in another letter case, that is not a mistake. */
const ENOUGH_TO_BE_HABIT = 5;
const ONE_IN = 20;

/** Whether letter case matters in the wikilinks of these docs. Obsidian and others ignore it, and so do people who rely on that. */
export function heedsCase(docs: Docs): boolean {
  const { found, inOtherCase } = wikiUse(docs);
  return inOtherCase < ENOUGH_TO_BE_HABIT || inOtherCase * ONE_IN < found + inOtherCase;
}

function wikiUse(docs: Docs): WikiUse {
  const known = uses.get(docs);
  if (known !== undefined) return known;
  const found = new Set<string>();
  const missing = new Set<string>();
  const inOtherCase = new Set<string>();
  for (const { path, outline } of docs.view.outlines()) {
    for (const { kind, target } of outline.links) {
      if (kind !== 'wikilink' && kind !== 'embed') continue;
      const page = parseWikilink(target)?.page ?? '';
      if (page === '' || found.has(page) || missing.has(page)) continue;
      const named = findNamed(docs, path, page);
      if (named?.kind === 'file') found.add(page);
      else if (named?.kind === 'case') inOtherCase.add(page);
      else if (named === undefined) missing.add(page);
    }
  }
  const use = { found: found.size, inOtherCase: inOtherCase.size, missing };
  uses.set(docs, use);
  return use;
}

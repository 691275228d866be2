import { isMarkdown, withoutMarkdownEnding } from '../core/markdown-ending.ts';
import { baseName, folderOf } from '../core/paths.ts';
import type { Docs } from './docs.ts';
import { routeOf } from './file-names.ts';
import { allFound, ENDINGS, type Found, firstFound } from './found.ts';
import { parseTarget } from './link-target.ts';
import { foldCase, joinPath } from './paths.ts';
import { addressesIn, inLanguageOf, isJudged, rootCandidates } from './site-routes.ts';
import { findsByName, pageCalled } from './wiki-pages.ts';

/**
 * What the path of a markdown link or an HTML attribute names: a file, a folder, or a page in one of the ways in which sites address pages (without
 * an ending, with `.html`, by the index of a folder, by its `slug`, relative to the page's own address).
 * @param path percent-decoded, not empty
 */
export function findPage(docs: Docs, from: string, path: string): Found {
  if (/(?:^|\/)\.(?!\.?(?:\/|$))/.test(path)) return { kind: 'unknown' };
  if (path.startsWith('/')) return findFromRoot(docs, from, path);
  const candidates = relativeCandidates(docs, from, path);
  if (candidates.length === 0) return { kind: 'outside' };
  const found =
    firstFound(docs, candidates) ?? calledByItself(docs, candidates) ?? inOtherCase(docs, candidates);
  // Hugo writes addresses in lower case, whatever the names of the files are.
  if (found?.kind === 'case' && docs.names.hasHugoSections && !/\p{Lu}|\.\w+$/u.test(path))
    return { kind: 'file', path: found.path };
  if (found !== undefined) return found;
  if (isConvention(docs, path)) return { kind: 'unknown' };
  const [named] = path.includes('/') || isMarkdown(path) || !path.includes('.') ? [] : docs.names.named(path);
  if (named !== undefined && findsByName(docs)) return { kind: 'file', path: named };
  const called = linksByName(docs) ? pageCalled(docs, from, path) : undefined;
  if (called !== undefined) return { kind: 'file', path: called };
  if (candidates.some((candidate) => docs.view.hasUnshown(candidate))) return { kind: 'unknown' };
  return leadsOutside(docs, from, path) ? { kind: 'outside' } : { kind: 'missing' };
}

/** Whether it is outside of the docs as a file, and as an address in a folder that the docs do not have. */
function leadsOutside({ names, settings: { rootName } }: Docs, from: string, path: string): boolean {
  if (joinPath(folderOf(from), path, rootName) !== undefined) return false;
  const folder = folderOf(joinPath(withoutMarkdownEnding(from), path, rootName) ?? '');
  return folder === '' || !names.hasFolder(folder);
}

function findFromRoot(docs: Docs, from: string, path: string): Found {
  if (joinPath('', path, docs.settings.rootName) === undefined) return { kind: 'outside' };
  const candidates = rootCandidates(docs, from, path);
  if (candidates === undefined) return { kind: 'unknown' };
  const found = firstFound(docs, candidates) ?? calledByItself(docs, [...candidates, path.slice(1)]);
  if (found?.kind === 'file' && differsInCase(found.path, path) && heedsAddressCase(docs))
    return docs.calledByItself(path) === undefined ? { kind: 'case', path: found.path } : found;
  if (found !== undefined) return found;
  const inCase = inOtherCase(docs, candidates);
  if (inCase !== undefined) return inCase;
  return isJudged(docs, path) ? { kind: 'missing' } : { kind: 'unknown' };
}

/** All pages besides the first that a path may mean: which of them a site prefers is not always known. */
export function otherReadings(docs: Docs, from: string, path: string): string[] {
  const candidates = path.startsWith('/') ? inLanguageOf(from, path) : relativeCandidates(docs, from, path);
  return allFound(docs, candidates);
}

/** Paths relative to the docs root that a relative link may mean, most likely first. */
function relativeCandidates(docs: Docs, from: string, path: string): string[] {
  const { rootName } = docs.settings;
  const candidates = [joinPath(folderOf(from), path, rootName)];
  if (!isMarkdown(path)) {
    // Sites serve `a/b.md` as `a/b/`, from where `../c` is `a/c`.
    const onSite = joinPath(withoutMarkdownEnding(from), path, rootName);
    if (docs.names.hasHugoSections && !INDEX.test(from)) candidates.unshift(onSite);
    else candidates.push(onSite);
    // Next.js serves `a/b/page.mdx` as `a/b`, from where `./c` is `a/c`.
    if (/\/page\.mdx?$/.test(from)) candidates.push(joinPath(folderOf(folderOf(from)), path, rootName));
  } else if (!path.startsWith('.') && (path.includes('/') || docs.isDocusaurus)) {
    // Docusaurus also resolves such a path from its docs folder.
    candidates.push(joinPath('', path, rootName));
    if (docs.isDocusaurus)
      candidates.push(...contentFoldersOver(from).map((folder) => joinPath(folder, path, rootName)));
  }
  for (const address of docs.addressesOf(from)) {
    const onSite = joinPath(folderOf(address), path, rootName);
    if (onSite !== undefined) candidates.push(...(rootCandidates(docs, from, onSite) ?? []));
  }
  return candidates.filter((candidate) => candidate !== undefined);
}

/** If the docs root is that of a whole project: the folders above a page from which Docusaurus takes content. */
function contentFoldersOver(from: string): string[] {
  const folders = folderOf(from).split('/');
  return folders.flatMap((name, index) =>
    /^(?:docs|version-.+|current)$/.test(name) ? [folders.slice(0, index + 1).join('/')] : [],
  );
}

const INDEX = /(?:^|\/)_?index\.\w+$/;

function calledByItself(docs: Docs, candidates: readonly string[]): Found | undefined {
  for (const candidate of candidates) {
    if (isMarkdown(candidate)) continue;
    const path = docs.calledByItself(candidate) ?? calledByLastPart(docs, candidate);
    if (path !== undefined) return { kind: 'file', path };
  }
  return undefined;
}

/** If a site serves pages in other places than their folders say, only the last part of the address belongs to the page. */
function calledByLastPart(docs: Docs, candidate: string): string | undefined {
  const path = candidate.includes('/') ? docs.calledByItself(baseName(candidate)) : undefined;
  if (path === undefined || !docs.isDocusaurus || docs.addressesOf(path).length > 0) return path;
  // Docusaurus puts an id or slug without a slash in the place of the file's name, below the page's folder.
  const [folder, wanted] = [folderOf(routeOf(path)), folderOf(routeOf(candidate))];
  return isEndOf(folder, wanted) || isEndOf(wanted, folder) ? path : undefined;
}

function isEndOf(end: string, path: string): boolean {
  return end === '' || path === end || path.endsWith(`/${end}`);
}

function inOtherCase({ names }: Docs, candidates: readonly string[]): Found | undefined {
  for (const candidate of candidates) {
    for (const ending of ['', ...ENDINGS]) {
      const path = names.inAnyCase(candidate + ending);
      if (path !== undefined) return { kind: 'case', path };
    }
  }
  return undefined;
}

/** Nobody misspells a name in the same way in this many documents. */
const ENOUGH_TO_BE_MEANT = 10;
const conventions = new WeakMap<Docs, Map<string, number>>();

/** Whether a target is not a path but a mark for the site generator, such as `[term](g)` for a glossary: one word that is the same in many documents. */
function isConvention(docs: Docs, path: string): boolean {
  if (/[/.]/.test(path)) return false;
  let counts = conventions.get(docs);
  if (counts === undefined) {
    counts = new Map();
    for (const { outline } of docs.view.outlines()) {
      for (const target of new Set(outline.links.map((link) => link.target)))
        counts.set(target, (counts.get(target) ?? 0) + 1);
    }
    conventions.set(docs, counts);
  }
  return (counts.get(path) ?? 0) >= ENOUGH_TO_BE_MEANT;
}

/** With this many different links of that form, and if most links that lead nowhere as paths are among them, they are names. */
const ENOUGH_TO_BE_NAMES = 10;
const habits = new WeakMap<Docs, boolean>();

/** Whether markdown links name pages like wikilinks, without their folder or with some of its folders, as Obsidian allows. */
function linksByName(docs: Docs): boolean {
  const known = habits.get(docs);
  if (known !== undefined) return known;
  const named = new Set<string>();
  const missing = new Set<string>();
  for (const { path: from, outline } of findsByName(docs) ? docs.view.outlines() : []) {
    for (const { kind, target } of outline.links) {
      if (kind !== 'link' && kind !== 'definition') continue;
      const path = parseTarget(target)?.path ?? '';
      if (path === '' || /^[./]/.test(path) || named.has(path) || missing.has(path)) continue;
      if (firstFound(docs, relativeCandidates(docs, from, path)) !== undefined) continue;
      (pageCalled(docs, from, path) === undefined ? missing : named).add(path);
    }
  }
  const isHabit = named.size >= ENOUGH_TO_BE_NAMES && named.size > missing.size;
  habits.set(docs, isHabit);
  return isHabit;
}

/** Whether an address has a capital that its page does not have. Sites write the addresses of pages like the names of their files, or in lower case. */
function differsInCase(page: string, address: string): boolean {
  const written = withoutMarkdownEnding(address.replace(/\/+$|\.html?$/gi, ''))
    .split('/')
    .filter(Boolean);
  const own = withoutMarkdownEnding(page)
    .replace(/\/(?:_?index|readme|page)$/i, '')
    .split('/')
    .slice(-written.length);
  const isSame = own.length === written.length && foldCase(own.join('/')) === foldCase(written.join('/'));
  return isSame && written.some((part, index) => part !== own[index] && part !== part.toLowerCase());
}

/** This many addresses are not written in another letter case by mistake: the site ignores it. */
const ENOUGH_TO_BE_HABIT = 5;
const addressHabits = new WeakMap<Docs, boolean>();

function heedsAddressCase(docs: Docs): boolean {
  const known = addressHabits.get(docs);
  if (known !== undefined) return known;
  const differing = new Set<string>();
  for (const { from, path } of addressesIn(docs)) {
    const found = /\p{Lu}/u.test(path) ? firstFound(docs, rootCandidates(docs, from, path) ?? []) : undefined;
    if (found?.kind === 'file' && differsInCase(found.path, path)) differing.add(path);
  }
  const heeds = differing.size < ENOUGH_TO_BE_HABIT;
  addressHabits.set(docs, heeds);
  return heeds;
}

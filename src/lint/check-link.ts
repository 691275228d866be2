import { withoutSite } from '../core/link-target.ts';
import { isMarkdown, withoutMarkdownEnding } from '../core/markdown-ending.ts';
import type { OutlineLink } from '../core/outline.ts';
import { baseName, folderOf } from '../core/paths.ts';
import { withoutEnd } from '../text/without-end.ts';
import type { AnchorNames } from './anchor-names.ts';
import type { Docs } from './docs.ts';
import { foldName } from './file-names.ts';
import type { RuleFinding } from './finding.ts';
import type { Found } from './found.ts';
import { type LinkTarget, parseTarget } from './link-target.ts';
import { findPage, otherReadings } from './pages.ts';
import { joinPath } from './paths.ts';
import { likelyFile, targetFor } from './suggest-page.ts';
import { pageNearest, sameManner } from './suggest-wiki-page.ts';
import { findWikiPage, heedsCase, isWikiOf, parseWikilink, type WikiTarget } from './wiki-pages.ts';

/** What is wrong with a link; undefined if nothing is, or it cannot be known. */
export function checkLink(docs: Docs, from: string, link: OutlineLink): RuleFinding | undefined {
  switch (link.kind) {
    // The target of a reference is checked where it is defined.
    case 'reference':
      return undefined;
    case 'wikilink':
    case 'embed':
      return checkWikilink(docs, from, link, link.target);
    case 'front-matter':
      return checkFrontMatter(docs, from, link);
    case 'template':
      return checkTemplate(docs, from, link);
    default:
      return checkTarget(docs, from, link);
  }
}

function checkTarget(docs: Docs, from: string, link: OutlineLink): RuleFinding | undefined {
  // A page of Logseq with a text of its own: `[text]([[page]])`.
  const wiki = /^\[\[([^[\]]+)\]\]$/.exec(link.target)?.[1];
  if (wiki !== undefined) return checkWikilink(docs, from, link, wiki);
  const target = parseTarget(link.target);
  if (target === undefined) return undefined;
  const found: Found = target.path === '' ? { kind: 'file', path: from } : findPage(docs, from, target.path);
  if (found.kind !== 'file' && docs.hasLabel(target.path)) return undefined;
  switch (found.kind) {
    case 'file':
      if (hasElsewhere(docs, from, target)) return undefined;
      return checkAnchor(docs, found.path, link, target.anchor);
    case 'case':
      return caseFinding(docs, from, link, target, found.path);
    case 'outside':
      return findingAt(
        link,
        'link-outside',
        `${link.target} leads out of the docs root, where nothing is looked at`,
      );
    case 'missing':
      return missingPage(docs, from, link, target);
    default:
      return undefined;
  }
}

/** Whether an anchor is in another page that the path may mean, or is a label of the whole project. */
function hasElsewhere(docs: Docs, from: string, { path, anchor }: LinkTarget): boolean {
  if (anchor === undefined) return false;
  if (path === '') return docs.hasLabel(anchor);
  return otherReadings(docs, from, path).some((page) => {
    const anchors = docs.anchorsOf(page);
    return anchors !== undefined && (anchors.has(anchor) || anchors.isOpenEnded);
  });
}

function caseFinding(
  docs: Docs,
  from: string,
  link: OutlineLink,
  target: LinkTarget,
  path: string,
): RuleFinding {
  const suggestion = verified(docs, from, link, targetFor(path, from, link.target, target.path, target.tail));
  return findingAt(link, 'case-mismatch', `the name differs in letter case: it is ${path}`, suggestion);
}

function missingPage(docs: Docs, from: string, link: OutlineLink, target: LinkTarget): RuleFinding {
  const { path, tail } = target;
  const isAbsolute = path.startsWith('/');
  const folder = folderOf(
    isAbsolute ? path.slice(1) : (joinPath(folderOf(from), path, docs.settings.rootName) ?? ''),
  );
  const clean = withoutEnd(path, /\//);
  const file = likelyFile(docs, folder, folder === '' ? baseName(clean) : `${folder}/${baseName(clean)}`);
  const suggestion =
    file === undefined
      ? undefined
      : verified(docs, from, link, targetFor(file, from, link.target, clean, tail));
  const what = isMarkdown(path) || !/\.[a-z]\w*$/i.test(path) ? 'page' : 'file';
  return findingAt(link, 'broken-link', `there is no ${what} ${path}`, suggestion);
}

/** Checks a suggestion: one that would be a finding itself helps nobody. @param target what the link should say after the address of the site */
function verified(docs: Docs, from: string, link: OutlineLink, target: string): string | undefined {
  const address = withoutSite(link.target);
  if (!link.target.endsWith(address)) return undefined;
  const suggestion = link.target.slice(0, -address.length) + target;
  if (suggestion === link.target) return undefined;
  return checkLink(docs, from, { ...link, target: suggestion }) === undefined ? suggestion : undefined;
}

function checkAnchor(
  docs: Docs,
  path: string,
  link: OutlineLink,
  anchor: string | undefined,
): RuleFinding | undefined {
  if (anchor === undefined || !isMarkdown(path)) return undefined;
  const anchors = docs.anchorsOf(path);
  if (anchors === undefined || anchors.has(anchor) || anchors.isOpenEnded) return undefined;
  // To many sites the title in front matter is a heading, and it is mostly the name of the file.
  if (foldName(anchor) === foldName(baseName(path))) return undefined;
  // In MyST, Quarto and others, links can name a heading as it is written.
  if (anchors.hasHeading(anchor)) return undefined;
  const before = link.target.slice(0, link.target.indexOf('#') + 1);
  const suggest = (name: string | undefined) => (name === undefined ? undefined : before + name);
  if (anchors.hasInAnyCase(anchor)) {
    const finding = findingAt(
      link,
      'case-mismatch',
      `the anchor differs in letter case in ${path}`,
      suggest(anchor.toLowerCase()),
    );
    return { ...finding, severity: 'warning' };
  }
  return findingAt(
    link,
    'broken-anchor',
    `${path} has no anchor "${anchor}"`,
    suggest(anchors.nearestTo(anchor)),
  );
}

function checkWikilink(docs: Docs, from: string, link: OutlineLink, raw: string): RuleFinding | undefined {
  const target = parseWikilink(raw);
  if (target === undefined) return undefined;
  const found: Found =
    target.page === '' ? { kind: 'file', path: from } : findWikiPage(docs, from, target.page);
  switch (found.kind) {
    case 'file':
      return checkHeading(docs, found.path, link, target);
    case 'case': {
      if (!isWikiOf(docs)) return undefined;
      if (!heedsCase(docs)) return checkHeading(docs, found.path, link, target);
      const page = sameManner(found.path, target.page);
      const finding = findingAt(
        link,
        'case-mismatch',
        `the name differs in letter case: it is ${found.path}`,
        page + headingOf(target),
      );
      return { ...finding, severity: 'warning' };
    }
    case 'missing':
      return findingAt(
        link,
        'broken-link',
        `there is no page ${target.page}`,
        likelyPage(docs, from, target),
      );
    default:
      return undefined;
  }
}

function headingOf({ heading }: WikiTarget): string {
  return heading === undefined ? '' : `#${heading}`;
}

function likelyPage(docs: Docs, from: string, target: WikiTarget): string | undefined {
  const near = pageNearest(docs, target.page);
  if (near === undefined) return undefined;
  const suggestion = near + headingOf(target);
  const link: OutlineLink = { kind: 'wikilink', target: suggestion, line: 0, column: 0, section: -1 };
  return checkWikilink(docs, from, link, suggestion) === undefined ? suggestion : undefined;
}

function checkHeading(
  docs: Docs,
  path: string,
  link: OutlineLink,
  { page, heading }: WikiTarget,
): RuleFinding | undefined {
  if (heading === undefined || !isMarkdown(path)) return undefined;
  const anchors: AnchorNames | undefined = docs.anchorsOf(path);
  if (anchors === undefined || anchors.isOpenEnded) return undefined;
  const wanted = heading.replace(/(?:^|#)(?=\^)/, '');
  const isThere = (name: string) => (name.startsWith('^') ? anchors.has(name) : anchors.hasHeading(name));
  if (isThere(wanted) || endsOfRange(heading)?.every(isThere) === true) return undefined;
  const near = wanted.startsWith('^') ? anchors.nearestTo(wanted) : anchors.titleNearestTo(wanted);
  const suggestion = near === undefined ? undefined : `${page}#${near}`;
  const what = wanted.startsWith('^') ? 'block' : 'heading';
  return findingAt(link, 'broken-anchor', `${path} has no ${what} "${wanted}"`, suggestion);
}

/**
 * Reads the part of a page that Dendron includes: from one heading or block to another, or to the next one for `*`, possibly some lines further down:
 * `first,1:#last`, `first:#*`, `^begin:#first`.
 * @returns the headings and blocks that have to exist; undefined if it is not a range
 */
function endsOfRange(heading: string): string[] | undefined {
  const [, begin = '', end] = /^(.+?)(?:,\d+)?(?::#(.+))?$/.exec(heading) ?? [];
  if (begin === heading) return undefined;
  return [begin, ...(end === undefined ? [] : [end])].filter((name) => !/^(?:\*|\^begin|\^end)$/.test(name));
}

/** Checks a wikilink in its brackets, or a path from the folder of the document or the docs root. */
function checkFrontMatter(docs: Docs, from: string, link: OutlineLink): RuleFinding | undefined {
  const wiki = /^\[\[([^|]*)(?:\|.*)?\]\]$/.exec(link.target)?.[1];
  if (wiki !== undefined) return checkWikilink(docs, from, link, wiki);
  const path = link.target.replace(/^\.?\//, '');
  if (checkTarget(docs, from, { ...link, target: `/${path}` }) === undefined) return undefined;
  // Front matter also names files elsewhere, so a folder that does not exist proves nothing.
  const folder = folderOf(path.replace(/#.*$/, ''));
  const beside = joinPath(folderOf(from), folderOf(link.target), docs.settings.rootName);
  const isOurs = docs.names.hasFolder(folder) || (beside !== undefined && docs.names.hasFolder(beside));
  return isOurs ? checkTarget(docs, from, link) : undefined;
}

/** Hugo and Jekyll look for such a page in the folder, from the root, and by its name. */
function checkTemplate(docs: Docs, from: string, link: OutlineLink): RuleFinding | undefined {
  const target = parseTarget(link.target);
  if (target === undefined || target.path === '') return undefined;
  const found = findPage(docs, from, target.path);
  if (found.kind === 'file') return checkAnchor(docs, found.path, link, target.anchor);
  const path = target.path.replace(/^\/+|\/+$/g, '');
  const byRoute = docs.names.withRouteEnd(withoutMarkdownEnding(path));
  const [named] = byRoute.length > 0 ? byRoute : docs.names.named(baseName(path));
  if (named !== undefined) return checkAnchor(docs, named, link, target.anchor);
  if (found.kind === 'folder' || foldName(path) === '') return undefined;
  return missingPage(docs, from, link, target);
}

function findingAt(
  { line, column, target }: OutlineLink,
  rule: RuleFinding['rule'],
  message: string,
  suggestion?: string,
): RuleFinding {
  return { rule, line, column, target, message, ...(suggestion === undefined ? {} : { suggestion }) };
}

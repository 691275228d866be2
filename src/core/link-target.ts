/** What the targets of links mean: which document, and which place in it. The projection decides which file a document's key stands for. */
import type { NodeKey } from './graph-model.ts';
import { documentKey, linkKey, wikiKey } from './identity.ts';
import type { OutlineLink } from './outline.ts';

const SITE_EXPRESSIONS = /^(?:\{\{-?\s*site\.(?:base)?url\s*-?\}\})+(?=\/)/i;
const FILTERED = /^\{\{-?\s*(["'])(\/[^"'{}]*)\1\s*\|\s*(?:relative|absolute)_url\s*-?\}\}/;

/** A target without template code for the address of the site: `/page` for `{{ site.baseurl }}/page` and for `{{ "/page" | relative_url }}`. */
export function withoutSite(target: string): string {
  return target.startsWith('{{') ? target.replace(SITE_EXPRESSIONS, '').replace(FILTERED, '$2') : target;
}

/** Where a link leads. */
export interface LinkTarget {
  /** The key of the document that the link stands in, or a `link:` or `wiki:` key. */
  readonly key: NodeKey;
  /** The place within the document, percent-decoded, a block's id with its `^`; undefined for the whole document. */
  readonly anchor: string | undefined;
}

/** @returns undefined if the target is on another site, or can be no document */
function targetOfLink(link: OutlineLink, path: string): LinkTarget | undefined {
  const { kind } = link;
  const target = withoutSite(link.target);
  switch (kind) {
    case 'definition':
      // It is no link itself: links that use it stand elsewhere.
      return undefined;
    case 'wikilink':
    case 'embed':
      return wikilinkTarget(target, path);
    case 'front-matter':
      return target.startsWith('[[')
        ? wikilinkTarget(target.slice(2, -2).replace(/\|.*$/s, ''), path)
        : urlTarget(target, path);
    case 'image':
      return DOCUMENT_URL.test(target) ? urlTarget(target, path) : undefined;
    default:
      return urlTarget(target, path);
  }
}

/**
 * Every document that a link may mean, the likeliest first, since the addresses of the site are not known here. `/x` may lie below
 * the folder of the page's language, or be `/docs/x`; `relref "x/y"` is looked for from the page and from the root of its language.
 * @param path the document with the link
 */
export function targetsOfLink(link: OutlineLink, path: string): LinkTarget[] {
  const target = targetOfLink(link, path);
  if (target === undefined) return [];
  const others = WIKI_KINDS.has(link.kind) ? [] : otherUrls(link, path);
  const keys = new Set([target.key, ...others.flatMap((url) => targetOfUrl(url, path) ?? [])]);
  return [...keys].map((key) => ({ key, anchor: target.anchor }));
}

const WIKI_KINDS: ReadonlySet<OutlineLink['kind']> = new Set(['wikilink', 'embed']);
const LANGUAGE = /^[a-z]{2}(?:[-_][a-z]{2,4})?$/i;

function otherUrls({ kind, target }: OutlineLink, path: string): string[] {
  const url = withoutSite(target.trim());
  const fromRoot = kind === 'template' && /^[\w-]/.test(url) ? `/${url}` : url;
  if (!fromRoot.startsWith('/')) return [];
  const language = path.slice(0, Math.max(0, path.indexOf('/')));
  const urls = [fromRoot];
  if (LANGUAGE.test(language)) urls.push(`/${language}${fromRoot}`);
  if (fromRoot.startsWith('/docs/')) urls.push(fromRoot.slice('/docs'.length));
  return urls;
}

const DOCUMENT_URL = /\.(?:mdx?|markdown)(?:[#?]|$)/i;

function wikilinkTarget(target: string, path: string): LinkTarget | undefined {
  const anchor = /[#^](.*)$/s.exec(target);
  const key = /^\s*[#^]/.test(target) ? documentKey(path) : targetOfWikilink(target, path);
  if (key === undefined) return undefined;
  const named = anchor?.[0].startsWith('^') ? anchor[0] : anchor?.[1];
  // `#Heading#Heading within it`
  return { key, anchor: named?.split('#').at(-1)?.trim() || undefined };
}

function urlTarget(url: string, path: string): LinkTarget | undefined {
  const [page = '', ...anchor] = url.trim().split('#');
  const key = page === '' ? documentKey(path) : targetOfUrl(url, path);
  return key === undefined ? undefined : { key, anchor: decodedText(anchor.join('#')) || undefined };
}

/** `[[Page]]`, `[[folder/Page#heading]]`, `[[Page@12]]`, `[[./Page]]`. */
export function targetOfWikilink(target: string, path: string): NodeKey | undefined {
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(target)) return undefined;
  const name = target.replace(/[#@$^].*$/, '').trim();
  if (name === '') return undefined;
  if (/^\.\.?\//.test(name)) {
    const resolved = resolvePath(name, path);
    return resolved === undefined ? undefined : linkKey(resolved);
  }
  return wikiKey(name);
}

/** A relative or root-absolute URL; undefined for another site, an anchor or a path above the docs root. */
export function targetOfUrl(url: string, path: string): NodeKey | undefined {
  const target = url.trim();
  if (target === '' || target.startsWith('#') || target.startsWith('?') || target.startsWith('//'))
    return undefined;
  if (/^[a-z][a-z\d+.-]*:/i.test(target) || /[{}<>\n]/.test(target)) return undefined;
  const resolved = resolvePath(decodedText(target.replace(/[#?].*$/, '')), path);
  return resolved === undefined || resolved === '' ? undefined : linkKey(resolved);
}

/** The text of a URL, percent-decoded. */
export function decodedText(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    // A `%` that encodes nothing stands for itself.
    return text;
  }
}

/** @returns undefined if `..` leads above the docs root */
function resolvePath(target: string, from: string): string | undefined {
  const parts = target.startsWith('/') ? [] : from.split('/').slice(0, -1);
  for (const part of target.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  return parts.join('/');
}

import { withoutEnd } from '../text/without-end.ts';
import type { NodeKey } from './graph-model.ts';
import { withoutMarkdownEnding } from './markdown-ending.ts';
import { baseName } from './paths.ts';

/**
 * The key of an APIObject or Concept: case, plural, spaces, hyphens, underscores and CamelCase folded, so that
 * `PaymentMethod`, `payment_method` and `Payment methods` are one node. A leading article does not count.
 */
export function conceptKey(label: string): NodeKey {
  return `concept:${foldConcept(label)}`;
}

/** The canonical form behind {@link conceptKey}; empty where the label has neither letter nor digit. */
export function foldConcept(label: string): string {
  const words = label
    .normalize('NFKC')
    .toLowerCase()
    .replace(/^\s*(?:an?|the)\s+/u, '');
  return singular(words.replace(/[^\p{L}\p{N}]+/gu, ''));
}

/**
 * Plurals of words that end with an s of their own. They have to be listed: spaces are gone by now, and `token uses`, the plural of `token use`, ends
 * just as `bonuses` does.
 */
const OWN_S_AND_ES =
  /(?:apparatus|bonus|campus|census|chorus|corpus|hiatus|octopus|prospectus|status|virus|alias|atlas|bias|canvas)es$/;

/** The singular of a word, as far as its ending tells. `status`, `alias`, `analysis` and `address` keep their own s. */
function singular(word: string): string {
  if (/[^aeiou]ies$/.test(word) && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(?:ss|us|is|alias|atlas|bias|canvas)$/.test(word)) return word;
  if (OWN_S_AND_ES.test(word)) return word.slice(0, -2);
  if (/(?:sses|xes|ches|shes|zzes)$/.test(word)) return word.slice(0, -2);
  return word.length > 2 && word.endsWith('s') ? word.slice(0, -1) : word;
}

/** The key of a document: its path relative to the docs root. */
export function documentKey(path: string): NodeKey {
  return `document:${path}`;
}

/** The path of a document's key, or undefined for a key of another kind. */
export function documentPathOf(key: NodeKey): string | undefined {
  return key.startsWith('document:') ? key.slice('document:'.length) : undefined;
}

export const HTTP_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const;

/**
 * The key of an endpoint: METHOD and path with only the parameters folded (`{id}`, `:id`, `<id>`, `[id]`, `{{id}}`,
 * `${id}` and an id given as an example, `42`, are one), literal segments as they are, without query, host and final
 * slash.
 */
export function endpointKey(method: string, path: string): NodeKey {
  const segments = withoutEnd(path.replace(/[?#].*$/, ''), /\//).split('/');
  const folded = segments.map((segment, index) => foldParameter(segment, segments[index - 1] ?? ''));
  return `endpoint:${method.toUpperCase()} ${folded.join('/') || '/'}`;
}

const PARAMETER = /^(?:\{\{?[^{}]*\}?\}|\$\{[^}]*\}|\$\w+|:[\w.-]+|<[^>]*>|\[[^\]]*\])(\.\w+)?$/;
/** Numbers, UUIDs, long hexadecimal digits and prefixed ids such as `ch_1abc23`. */
const EXAMPLE_ID =
  /^(?:\d+|[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}|(?=[\da-f]*\d)[\da-f]{16,}|[a-z]{2,8}_(?=\w*\d)[A-Za-z\d]{6,})(\.\w+)?$/;

/** @param before the segment before this one: a number after `api`, or at the start of a path, is a version and no parameter */
function foldParameter(segment: string, before: string): string {
  const isVersioned = before === '' || before === 'api' || before === 'rest';
  const match = PARAMETER.exec(segment) ?? (isVersioned ? null : EXAMPLE_ID.exec(segment));
  return match ? `{}${match[1] ?? ''}` : segment;
}

/**
 * The key of an event. Its words are what counts where a name has several: `OrderPlaced`, `order-placed`, `ORDER_PLACED` and `Order Placed` are one
 * event in code, in front matter, in a payload and in a heading. A handler's name is taken apart: `onDrop` is "On Drop".
 * A name of one word (also with a hyphen in it: `Sign-in`), one with dots, colons or slashes, and one in camelCase, which a field may have as well, has
 * one form only.
 */
export function eventKey(name: string): NodeKey {
  const exact = name.trim().replace(/\s+/gu, ' ');
  const isHandler = /^on(?:[A-Z][a-z\d]+)+$/.test(exact);
  if (!isHandler && !/^(?:[\w-]+(?: [\w-]+)+|(?![A-Z][a-z]+-[a-z-]+$)[A-Z][\w-]*|[a-z\d_-]+)$/u.test(exact))
    return `event:${exact}`;
  const words = exact
    .replace(/(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, ' ')
    .replace(/(?<=\w)[_-](?=[A-Za-z\d])/g, ' ');
  return `event:${words.includes(' ') ? words.toLowerCase() : exact}`;
}

/**
 * The key of a document that a link points at, before it is known which document that is.
 * @param path relative to the docs root, percent-decoded, without query and anchor, `.` and `..` resolved; any ending may be missing
 */
export function linkKey(path: string): NodeKey {
  return `link:${foldLink(path)}`;
}

/** The key of a document that a wikilink names. @param name without alias and anchor */
export function wikiKey(name: string): NodeKey {
  return `wiki:${foldLink(name)}`;
}

const PAGE = 'page:';

/**
 * The key of the document with this title, id or file name; if no document has it, of the concept with this name.
 */
export function pageKey(name: string): NodeKey {
  return `${PAGE}${foldConcept(name)}`;
}

/** The concept that a page's key stands for if no document answers to it; undefined for a key of another kind. */
export function conceptOfPage(key: NodeKey): NodeKey | undefined {
  return key.startsWith(PAGE) ? `concept:${key.slice(PAGE.length)}` : undefined;
}

/** The key of the page of a team or a person with this title, id or file name. No other page, and no concept, answers to it. */
export function ownerKey(name: string): NodeKey {
  return `owner:${foldConcept(name)}`;
}

function foldLink(path: string): string {
  return path
    .normalize('NFC')
    .toLowerCase()
    .replace(/^\/+|\/+$/g, '');
}

/** Every link and wikilink key by which documents may point at this one. */
export function documentAliases(path: string): NodeKey[] {
  const bare = withoutMarkdownEnding(path);
  const name = baseName(bare);
  const keys = [linkKey(path), linkKey(bare), wikiKey(bare), wikiKey(path), wikiKey(name)];
  for (const address of [bare, ...unnumbered(bare)]) {
    keys.push(linkKey(address));
    const folder = address.replace(/(?:^|\/)(?:_?index|readme)$/i, '');
    if (folder !== address) keys.push(linkKey(folder));
  }
  return [...new Set(keys)];
}

/**
 * A path without the numbers that only put files in order, removed from each folder on: for `01-guide/02-intro` these are `guide/intro`, as sites
 * address the page, and `01-guide/intro`, as a page beside it may.
 */
function unnumbered(path: string): string[] {
  if (!/(?:^|\/)\d/.test(path)) return [];
  const segments = path.split('/');
  const addresses: string[] = [];
  for (let from = segments.length - 1; from >= 0; from -= 1) {
    const segment = segments[from] ?? '';
    const name = segment.replace(/^\d+[-_.]+(?=.)/, '');
    if (name === segment) continue;
    segments[from] = name;
    addresses.push(segments.join('/'));
  }
  return addresses;
}

/** Whether a key stands for a link whose document is still to be found. */
export function isLinkKey(key: NodeKey): boolean {
  return (
    key.startsWith('link:') || key.startsWith('wiki:') || key.startsWith(PAGE) || key.startsWith('owner:')
  );
}

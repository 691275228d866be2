import type { NodeKey } from '../../core/graph-model.ts';
import { pageKey } from '../../core/identity.ts';
import { targetOfUrl, targetOfWikilink } from '../../core/link-target.ts';

const MAX_VALUE_LENGTH = 2_000;
const WIKILINK = /\[\[([^[\]|\n]{1,300})(?:\|[^[\]\n]{0,300})?\]\]/g;
const LINK = /\[[^[\]\n]{0,300}\]\(([^()\s]{1,500})\)/g;
const PATH = /^[^\s:]+\.(?:mdx?|markdown)(?:#\S*)?$|^[^\s:]*\/[^\s:]*$/i;

/** The pages that wikilinks, links and paths of documents in a value of front matter mean. @param path of the document with the value */
export function linkedPages(value: string, path: string): NodeKey[] {
  const text = value.slice(0, MAX_VALUE_LENGTH).trim();
  const wikilinks = Array.from(text.matchAll(WIKILINK), ([, target = '']) => targetOfWikilink(target, path));
  const links = Array.from(text.matchAll(LINK), ([, target = '']) => targetOfUrl(target, path));
  return [...wikilinks, ...links, ...pagesAtPath(text, path)].flatMap((key) => key ?? []);
}

/** The pages that a path may mean. It is relative to the document, or to the docs root; a readme or index is the one beside the document. */
function pagesAtPath(text: string, path: string): (NodeKey | undefined)[] {
  if (!PATH.test(text)) return [];
  const isRelative = /^(?:\.|(?:readme|index)\.)/i.test(text);
  return [targetOfUrl(text, path), ...(isRelative ? [] : [targetOfUrl(`/${text}`, path)])];
}

/** The same; and if the value is nothing but a name, the document or concept with that name. */
export function namedPages(value: string, path: string): NodeKey[] {
  const linked = linkedPages(value, path);
  const isName = linked.length === 0 && !/:\/\/|[[\]{}<>]/.test(value);
  return isName ? [pageKey(value)] : linked;
}

import type { Token } from '../markdown/parser.ts';
import { withoutPermalink } from '../markdown/permalink.ts';
import { INLINE_NAMES } from '../markdown/tags.ts';
import type { InlineBlock } from './inline-blocks.ts';

/** The content of the braces in `{#id}`, `\{#id\}`, `{: #id }`, `{/* #id *\/}`, `{#id .class}`, `{ id="id" }`. */
const ID_WITHIN = /^(?::|\/\*)?\s*(?:#|id=["']?)([^\s{}*"'\\]+)/;

/** The id in braces at the end of a text, and the text before it. No regular expression is used, as it would try each white space for a beginning. */
function idAtEnd(text: string): { readonly id: string; readonly before: string } | undefined {
  const open = text.lastIndexOf('{');
  const end = text.trimEnd().length - 1;
  if (open === -1 || text.indexOf('}', open) !== end) return undefined;
  const id = ID_WITHIN.exec(text.slice(open + 1, end))?.[1];
  if (id === undefined) return undefined;
  const isEscaped = text.charAt(open - 1) === '\\';
  return { id, before: text.slice(0, isEscaped ? open - 1 : open).trimEnd() };
}

/** The id that a heading gives itself. */
export function ownId({ content, isElement, children }: InlineBlock): string | undefined {
  return isElement ? idOfElement(children) : idAtEnd(content)?.id;
}

function idOfElement(children: readonly Token[]): string | undefined {
  const opening = children.find(({ type, tag }) => type === 'tag' && /^h[1-6]$/i.test(tag));
  const attributes = opening?.meta?.['attributes'];
  const id: unknown = attributes instanceof Map ? attributes.get('id') : undefined;
  return typeof id === 'string' && /^\S+$/.test(id) ? id : undefined;
}

/** The text of a heading without its markup and its own id. */
export function headingText(block: InlineBlock): string {
  const text = withoutPermalink(wordsOf(block.children));
  return block.content.includes('{') ? (idAtEnd(text)?.before ?? text) : text;
}

/** {@link shownText}, with words separated if a break or another element is between them. */
function wordsOf(tokens: readonly Token[]): string {
  return tokens.reduce((text, token) => text + (isBetweenWords(token) ? ' ' : shownTextOf(token)), '');
}

function isBetweenWords({ type, tag }: Token): boolean {
  return type === 'tag' && !INLINE_NAMES.has(tag.toLowerCase());
}

/** What GitHub takes for a tag. It includes parameters such as `<id>`, which GitHub drops. */
const TAG_LIKE =
  /<\/?[A-Za-z][A-Za-z\d-]*(?:\s+[A-Za-z_:][\w.:-]*(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'=<>`]+))?)*\s*\/?>/g;

/** The text from which GitHub makes the id of a heading: that of the rendered heading, with its white space. An image has no text. */
function anchorText({ content, children }: InlineBlock): string {
  const isEscaped = /\\<|&lt;/i.test(content);
  return children.reduce((text, token) => text + anchorTextOf(token, isEscaped), '');
}

/** {@link anchorText} of a heading in the document. An element may have white space at its edges. */
export function idText(heading: InlineBlock): string {
  const text = anchorText(heading);
  return heading.isElement ? text.trim() : text;
}

function anchorTextOf(token: Token, isEscaped: boolean): string {
  const text = shownTextOf(token);
  const isText = token.type === 'text' && !isEscaped && text.includes('<');
  return isText ? text.replace(TAG_LIKE, '') : text;
}

/** The tokens of a block as plain text. */
export function shownText(tokens: readonly Token[]): string {
  return tokens.reduce((text, token) => text + shownTextOf(token), '');
}

function shownTextOf(token: Token): string {
  switch (token.type) {
    case 'text':
    case 'code_inline':
      return token.content;
    case 'wikilink':
      return token.info === '' ? token.content : token.info;
    case 'softbreak':
    case 'hardbreak':
      return '\n';
    default:
      return '';
  }
}

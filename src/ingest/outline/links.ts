import type { OutlineLink, OutlineLinkKind } from '../../core/outline.ts';
import type { Places } from '../markdown/link-places.ts';
import type { Token } from '../markdown/parser.ts';
import type { InlineBlock } from './inline-blocks.ts';
import type { SourceLines } from './source-lines.ts';

/** Collects every link of the text, with its place. Links in code, comments, raw elements and expressions are left out. */
export class Links {
  readonly #places: Places;
  readonly #lines: SourceLines;
  readonly #links: OutlineLink[] = [];

  constructor(places: Places, lines: SourceLines) {
    this.#places = places;
    this.#lines = lines;
  }

  /** @param section the index of the section that contains the block */
  add(block: InlineBlock, section: number): void {
    if (!mayHoldLinks(block.content) || block.content.startsWith('$$')) return;
    for (const token of block.children) {
      const start = this.#places.starts.get(token);
      if (start === undefined) continue;
      for (const { kind, target } of targetsOf(token, block.content, start)) {
        const place = kind === 'tag' ? placeWithin(block.content, start, target) : start;
        this.#push(block, place, kind, target, section);
      }
    }
    for (const { target, start } of this.#places.outer.get(block.children) ?? [])
      this.#push(block, start, 'link', target, section);
  }

  #push(block: InlineBlock, start: number, kind: OutlineLinkKind, target: string, section: number): void {
    const { line, column } = this.#lines.placeOf(block.content, block.line, start);
    this.#links.push({ kind, target, line, column, section });
  }

  finish(): OutlineLink[] {
    return this.#links;
  }
}

/** Where a tag begins; in a tag of several lines, where its attribute does. */
function placeWithin(content: string, start: number, target: string): number {
  const value = content.indexOf(target, start);
  const newline = value === -1 ? -1 : content.slice(start, value).lastIndexOf('\n');
  if (newline === -1) return start;
  const lineStart = start + newline + 1;
  return lineStart + content.slice(lineStart, value + 1).search(/\S/);
}

function mayHoldLinks(content: string): boolean {
  return content.includes('[') || content.includes('<');
}

const QUERY = /^(?:from|select|where|order by|limit)\s/;

interface Target {
  readonly kind: OutlineLinkKind;
  readonly target: string;
}

function targetsOf(token: Token, content: string, start: number): Target[] {
  switch (token.type) {
    case 'wikilink':
      // This is a query of SilverBullet: `query[[from index.pages() select name]]`.
      if (/\w/.test(content.charAt(start - 1)) && QUERY.test(token.content)) return [];
      return [{ kind: token.markup === '!' ? 'embed' : 'wikilink', target: token.content }];
    case 'link_open':
      return targetOf('link', token, String(token.attrGet('href') ?? ''), content, start);
    case 'image':
      return targetOf('image', token, String(token.attrGet('src') ?? ''), content, start);
    case 'tag':
      return tagTargets(token);
    default:
      return [];
  }
}

function targetOf(
  kind: 'link' | 'image',
  token: Token,
  target: string,
  content: string,
  start: number,
): Target[] {
  const label = token.meta?.['label'];
  if (typeof label === 'string') return label.startsWith('^') ? [] : [{ kind: 'reference', target }];
  const template = templateAt(content, start, target);
  if (template === undefined || target.startsWith('{')) return [{ kind, target }];
  return NAMES_A_PAGE.test(template) ? [{ kind: 'template', target }] : [];
}

/** Hugo's `ref` and `relref`, Jekyll's `link` and `post_url`. */
const NAMES_A_PAGE = /^(?:\{\{\s*site\.\w+\s*\}\})*\{(?:\{[<%]|%)-?\s*(?:rel)?(?:ref|link|post_url)\b/;
const TEMPLATE = /\]\(\s*(\{(?:\{[<%]?|%)[^)]{0,400})/;

const MAX_LINK = 2_000;

/** The template expression in place of a link's target. */
function templateAt(content: string, start: number, target: string): string | undefined {
  const near = content.slice(start, start + MAX_LINK);
  const source = near.includes('({') ? TEMPLATE.exec(near)?.[1] : undefined;
  // A heading may be named after the expression: `{{< relref "page" >}}#heading`. It may also belong to another link.
  const [page = '', ...rest] = target.split(/(?=[#?])/);
  return source?.includes(page) && source.includes(rest.join('')) ? source : undefined;
}

const RESOURCE_ELEMENTS: ReadonlySet<string> = new Set(
  'img source video audio iframe embed track Image Img'.split(' '),
);

function tagTargets({ tag, info, meta }: Token): Target[] {
  const attributes = meta?.['attributes'];
  if (info === 'close' || !(attributes instanceof Map)) return [];
  const targets: Target[] = [];
  for (const [name, value] of attributes) {
    if (typeof value !== 'string' || tag === 'base') continue;
    const leadsSomewhere = name === 'href' || (name === 'to' && /^[A-Z]/.test(tag));
    if (leadsSomewhere || (name === 'src' && RESOURCE_ELEMENTS.has(tag)))
      targets.push({ kind: 'tag', target: value });
  }
  return targets;
}

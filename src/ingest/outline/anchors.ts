import { slug } from 'github-slugger';
import type { OutlineAnchor } from '../../core/outline.ts';
import type { Token } from '../markdown/parser.ts';
import type { AnchorNames } from './anchor-names.ts';
import { attributeIds, termIds } from './attribute-ids.ts';
import { idText, ownId, shownText } from './heading-text.ts';
import { type InlineBlock, withLines } from './inline-blocks.ts';

/** A block id of Obsidian: at the end of a paragraph or list item, or on its own line. */
const BLOCK_ID = /(?:^|\s|\]\])(\^[A-Za-z\d][A-Za-z\d-]*)\s*$/;

const HEADING_ELEMENT = /^h[1-6]$/i;

/** Collects link targets other than headings: ids of elements, `<h2>` elements, and block ids. */
export class Anchors {
  readonly #names: AnchorNames;
  readonly #anchors: OutlineAnchor[] = [];
  readonly #terms: OutlineAnchor[] = [];

  constructor(names: AnchorNames) {
    this.#names = names;
  }

  add(block: InlineBlock): void {
    this.#addElements(block);
    if (block.level > 0) return;
    if (block.content.includes('^')) this.#addBlockIds(block);
    const { line } = block;
    for (const anchor of attributeIds(block.content)) this.#anchors.push({ anchor, line });
    for (const anchor of termIds(block.content)) this.#terms.push({ anchor, line });
  }

  finish(): readonly OutlineAnchor[] {
    return [...this.#anchors, ...this.#terms];
  }

  /** The anchors, without those that only some site generators give. */
  given(): readonly OutlineAnchor[] {
    return this.#anchors;
  }

  #addElements(block: InlineBlock): void {
    if (!block.content.includes('<')) return;
    // The id that GitHub gives leads there as well, in addition to its own id.
    if (block.isElement && ownId(block) !== undefined)
      this.#anchors.push({ anchor: this.#names.ofHeading(idText(block)), line: block.line });
    let index = 0;
    for (const [token, line] of withLines(block)) {
      index += 1;
      if (token.type !== 'tag' || token.info === 'close') continue;
      if (block.level === 0 && HEADING_ELEMENT.test(token.tag)) this.#addHeading(block, index, line);
      for (const anchor of idsOf(token)) this.#anchors.push({ anchor, line });
      for (const anchor of captionIds(token)) this.#terms.push({ anchor, line });
    }
  }

  /**
   * GitHub gives `<h2>Title</h2>` an id, too. An element that is not closed ends where the next one begins. @param index the index of what follows the opening
   * tag
   */
  #addHeading({ children }: InlineBlock, index: number, line: number): void {
    let end = index;
    for (; end < children.length; end += 1) {
      const token = children[end];
      if (token?.type === 'tag' && HEADING_ELEMENT.test(token.tag)) break;
    }
    const text = shownText(children.slice(index, end));
    this.#anchors.push({ anchor: this.#names.ofHeading(text.trim()), line });
  }

  #addBlockIds({ content, line }: InlineBlock): void {
    for (const [index, text] of content.split('\n').entries()) {
      const anchor = BLOCK_ID.exec(text)?.[1];
      if (anchor !== undefined) this.#anchors.push({ anchor, line: line + index });
    }
  }
}

const PARAMETER = /^(?:path|query|body|header|name)$/;

/** Ids that sites give to components: from their titles, as in `<Accordion title="A step">`, and from parameters, as in `<ParamField body="name">`. */
function captionIds({ tag, meta }: Token): string[] {
  const attributes = meta?.['attributes'];
  if (!(attributes instanceof Map) || !/^[A-Z]/.test(tag)) return [];
  const ids: string[] = [];
  for (const [name, value] of attributes) {
    if (typeof value !== 'string' || value === '') continue;
    const words = slug(value.replaceAll('.', '-'));
    if (name === 'title' || name === 'label') ids.push(slug(value), words);
    else if (PARAMETER.test(name)) ids.push(`param-${words}`, `${name}-${words}`);
  }
  return ids;
}

/** The `id` of any element, and the `name` of an `<a>`. */
function idsOf({ tag, meta }: Token): string[] {
  const attributes = meta?.['attributes'];
  if (!(attributes instanceof Map)) return [];
  const ids = new Set<string>();
  for (const [name, value] of attributes) {
    const names = /^id$/i.test(name) || (/^name$/i.test(name) && /^a$/i.test(tag));
    if (names && typeof value === 'string' && value !== '') ids.add(value);
  }
  return [...ids];
}

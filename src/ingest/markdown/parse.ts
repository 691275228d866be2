/** Parses markdown text into sections of blocks, with the line of each in the file. */

import { foldSpace } from '../../text/fold-space.ts';
import type { Block, ListPlace, MarkdownDocument, Section, TableRow } from './document.ts';
import { HEADING_ELEMENT } from './html-headings.ts';
import { mayHoldTable, splitAtTables } from './html-tables.ts';
import { flatten } from './inline.ts';
import { OpenNotes } from './open-notes.ts';
import type { Token } from './parser.ts';
import { withoutPermalink } from './permalink.ts';
import { EMPTY_TEXT, type RichText, trimmed } from './rich-text.ts';
import { type MarkdownSource, readSource } from './source.ts';

/** @param path relative to the docs root. Its ending tells whether this is MDX */
export function parseMarkdown(path: string, text: string): MarkdownDocument {
  return documentOf(readSource(path, text));
}

export function documentOf({ path, frontMatter, bodyLine, tokens }: MarkdownSource): MarkdownDocument {
  const builder = new SectionBuilder(bodyLine);
  for (let index = 0; index < tokens.length; index += 1) index = builder.read(tokens, index);
  return { path, frontMatter, sections: builder.sections, problems: frontMatter.problems };
}

interface MutableSection extends Section {
  readonly parent: MutableSection | undefined;
  readonly blocks: Block[];
}

interface OpenList {
  readonly ordered: boolean;
  readonly list: number;
  opens: boolean;
}

class SectionBuilder {
  readonly sections: MutableSection[];
  readonly #lineOffset: number;
  #current: MutableSection;
  readonly #lists: OpenList[] = [];
  #listCount = 0;
  readonly #notes = new OpenNotes();

  /** @param lineOffset is added to markdown-it's line of the body, from 0, to get the line of the file */
  constructor(lineOffset: number) {
    this.#lineOffset = lineOffset;
    this.#current = { level: 0, heading: EMPTY_TEXT, title: '', line: 1, parent: undefined, blocks: [] };
    this.sections = [this.#current];
  }

  /** Reads what begins at `tokens[index]`. @returns the index of its last token */
  read(tokens: readonly Token[], index: number): number {
    const token = tokens[index];
    if (token !== undefined) this.#notes.read(token);
    switch (token?.type) {
      case 'heading_open':
        this.#addHeading(token, tokens[index + 1]);
        return index + 2;
      case 'paragraph_open':
        this.#addParagraph(tokens[index + 1]);
        return index + 2;
      case 'table_open':
        return this.#addTable(tokens, index);
      case 'fence':
      case 'code_block':
        this.#addCode(token);
        return index;
      case 'bullet_list_open':
      case 'ordered_list_open':
        this.#listCount += 1;
        this.#lists.push({
          ordered: token.type === 'ordered_list_open',
          list: this.#listCount,
          opens: false,
        });
        return index;
      case 'bullet_list_close':
      case 'ordered_list_close':
        this.#lists.pop();
        return index;
      case 'list_item_open':
        this.#openItem();
        return index;
      default:
        return index;
    }
  }

  #openItem(): void {
    const list = this.#lists.at(-1);
    if (list !== undefined) list.opens = true;
  }

  #addHeading(token: Token, inline: Token | undefined): void {
    const level = Number(token.tag.slice(1));
    const isElement = token.markup === HEADING_ELEMENT;
    const written = this.#inline(inline);
    const heading = isElement ? trimmed(written) : written;
    let parent: MutableSection | undefined = this.#current;
    while (parent !== undefined && parent.level >= level) parent = parent.parent;
    const title = titleOf(heading.text);
    const { line } = written;
    const given = isElement ? ({ isElement } as const) : {};
    this.#current = { level, heading, title, line, parent, blocks: [], ...given };
    this.sections.push(this.#current);
  }

  #addParagraph(token: Token | undefined): void {
    if (token === undefined || !mayHoldTable(token.content)) {
      this.#addText(this.#inline(token));
      return;
    }
    for (const piece of splitAtTables(token.children ?? [], this.#lineOf(token))) {
      if ('kind' in piece) this.#current.blocks.push(piece);
      else this.#addText(piece);
    }
  }

  #addText(text: RichText): void {
    if (/^(?:import|export)\s.*\bfrom\s+['"]/.test(text.text)) return;
    const note = this.#notes.isWithin ? ({ isNote: true } as const) : {};
    this.#current.blocks.push({ kind: 'paragraph', text, place: this.#place(), ...note });
  }

  #place(): ListPlace | undefined {
    const list = this.#lists.at(-1);
    if (list === undefined) return undefined;
    const { opens, ordered } = list;
    list.opens = false;
    return { ordered, depth: this.#lists.length, list: list.list, opens };
  }

  #addCode(token: Token): void {
    const isFence = token.type === 'fence' && token.markup !== '<pre>';
    const line = this.#lineOf(token) + (isFence ? 1 : 0);
    const info = token.info.trim();
    const language = /^[\w+#-]*/.exec(info.toLowerCase())?.[0] ?? '';
    this.#current.blocks.push({ kind: 'code', language, info, content: token.content, line });
  }

  #addTable(tokens: readonly Token[], start: number): number {
    const rows: TableRow[] = [];
    let cells: RichText[] = [];
    let line = 0;
    let index = start;
    for (; index < tokens.length; index += 1) {
      const token = tokens[index];
      if (token === undefined || token.type === 'table_close') break;
      if (token.type === 'tr_open') {
        cells = [];
        line = this.#lineOf(token);
      } else if (token.type === 'inline') cells.push(flatten(token.children ?? [], line));
      else if (token.type === 'tr_close') rows.push({ cells, line });
    }
    const [header, ...body] = rows;
    if (header === undefined) return index;
    this.#current.blocks.push({ kind: 'table', header: header.cells, rows: body, line: header.line });
    return index;
  }

  #inline(token: Token | undefined): RichText {
    if (token === undefined) return EMPTY_TEXT;
    return flatten(token.children ?? [], this.#lineOf(token));
  }

  #lineOf(token: Token): number {
    return (token.map?.[0] ?? 0) + this.#lineOffset;
  }
}

/** `2.1 Charges {#charges}` has the title `Charges`. */
function titleOf(heading: string): string {
  return foldSpace(
    withoutPermalink(heading)
      .replace(/\{#[^{}]{1,200}\}\s*$/, '')
      .replace(/^\s*(?:\d{1,3}\.)+\d{0,3}\s+/, '')
      .replace(/^[^\p{L}\p{N}/`"'([{<*.:]+/u, ''),
  );
}

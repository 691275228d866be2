/**
 * A document as passages of some 256 tokens. Sections are never mixed. Paragraphs, rows and blocks of code stay whole unless they are longer than that; then
 * they are cut with some overlap.
 */

import { basename, dirname } from 'node:path/posix';
import { BETWEEN_HEADINGS } from '../../core/headings.ts';
import type { Passage } from '../../store/passages.ts';
import { type CountedTerms, countedTerms } from '../../words/bag.ts';
import { cut, MAX_LENGTH, type Piece, packed } from '../../words/pieces.ts';
import { textHashOf } from '../../words/text-hash.ts';
import { indexedTermsOf } from '../../words/tokens.ts';
import { isHistory } from '../extract/title.ts';
import type { Block, MarkdownDocument, Section } from '../markdown/document.ts';
import { lineAt } from '../markdown/rich-text.ts';
import { documentNumbersOf } from './document-numbers.ts';

const MAX_FIELD_LENGTH = 500;
const DATA_LANGUAGE = /^(?:json\w*|xml)$/;
const DATA_BEGINNING = /^\s*(?:[[{]\s*["{[]|<\?xml\b)/;
/**
 * How many times its length a piece of a long sample counts, since with so many values it contains something about everything. Measured, see docs/decisions.md.
 */
const SAMPLE_LENGTH = 3;

/** A piece of a section, with what matters of its kind. */
interface SectionPiece extends Piece {
  /** Whether it was cut from a sample of data. */
  readonly isOfSample?: boolean;
  /** Whether it is found by its own text alone, because another piece of its section has the title and the headings. */
  readonly isUnnamed?: boolean;
}

/** Called with what a passage says: its title, its headings and its text. */
export type TextListener = (textHash: Uint8Array, title: string, headings: string, text: string) => void;

/** Passages in document order; at least one for each heading. */
export function passagesOf(document: MarkdownDocument, title: string, tell?: TextListener): Passage[] {
  const isUntitled = isLeftOut(document) && !isHistory(document.path, title);
  const made = isUntitled
    ? passageMaker('', [], tell)
    : passageMaker(
        title,
        [...indexedTermsOf(pageName(document.path)), ...documentNumbersOf(document.path)],
        tell,
      );
  const opening = openingOf(document);
  return document.sections.flatMap((section, index) => {
    const pieces = piecesOf(section, index === 0 ? opening : undefined);
    const path = headingPath(section);
    if (pieces.length === 0 && path.length === 0) return [];
    const headings = path.join(BETWEEN_HEADINGS);
    const headingTerms = indexedTermsOf(headings).join(' ');
    const whole = pieces.length > 0 ? pieces : [{ text: '', line: section.line, endLine: section.line }];
    return whole.map((piece, part) => {
      const line = part === 0 && section.level > 0 ? section.line : piece.line;
      return made(
        { ...piece, line, isUnnamed: piece.isOfSample === true && part > 0 },
        headings,
        headingTerms,
      );
    });
  });
}

/**
 * Whether the site of the docs leaves the page out of its own search, as pages that only lead to another one. Such a page is found by its text: its title,
 * which is often the very question, must not put it before the page that has the answer. A log keeps its title, since that makes it count less.
 */
function isLeftOut({ frontMatter: { data } }: MarkdownDocument): boolean {
  if (data.get('search') === false || data.get('searchable') === false) return true;
  return ['omitFromSearch', 'excludeFromSearch', 'exclude_from_search'].some((key) => data.get(key) === true);
}

/** The name of a file without its ending and the number that sorts it (`1.tokens.md`, `04-Rate-Limits.md`). An index has the name of its folder. */
function pageName(path: string): string {
  const name = withoutNumber(basename(path).replace(/\.\w+$/, ''));
  return /^(?:_?index|readme)$/i.test(name) ? withoutNumber(basename(dirname(path))) : name;
}

function withoutNumber(name: string): string {
  return name.replace(/^\d{1,2}[-_. ]+(?=\p{L})/u, '');
}

/** Passages of a text that is no markdown: blocks of code, paragraphs, rows. */
export function passagesOfText(path: string, text: string, tell?: TextListener): Passage[] {
  const name = basename(path);
  const made = passageMaker(name, documentNumbersOf(path), tell);
  return packed(text).map((piece) => made(piece, '', ''));
}

/** @param nameTerms what else the page is called, as terms */
function passageMaker(title: string, nameTerms: readonly string[], tell: TextListener | undefined) {
  const titleTerms = countedTerms([...indexedTermsOf(title), ...nameTerms]).terms;
  return (piece: SectionPiece, headings: string, headingTerms: string): Passage => {
    const { terms, bag, length }: CountedTerms = countedTerms(indexedTermsOf(piece.text));
    const textHash = textHashOf(`${title}\0${headings}\0${piece.text}`);
    tell?.(textHash, title, headings, piece.text);
    return {
      line: piece.line,
      endLine: piece.endLine,
      headings,
      titleTerms: piece.isUnnamed === true ? '' : titleTerms,
      headingTerms: piece.isUnnamed === true ? '' : headingTerms,
      bodyTerms: terms,
      bodyBag: bag,
      bodyLength: length * (piece.isOfSample === true ? SAMPLE_LENGTH : 1),
      textHash,
    };
  };
}

function headingPath(section: Section): string[] {
  const path: string[] = [];
  for (let at: Section | undefined = section; at !== undefined; at = at.parent) {
    if (at.level > 0 && at.title !== '') path.unshift(at.title);
  }
  return path;
}

/** What the front matter says of the document in words, on its lines, where whoever shows it or looks for a phrase finds it; undefined if it says nothing. */
function openingOf({ frontMatter }: MarkdownDocument): Piece | undefined {
  const texts = ['description', 'summary', 'tags', 'keywords', 'aliases'].flatMap(
    (key) => frontMatter.data.get(key) ?? [],
  );
  const text = texts
    .filter((text) => typeof text === 'string')
    .join(' ')
    .slice(0, MAX_FIELD_LENGTH);
  return text === '' ? undefined : { text, line: 1, endLine: frontMatter.lineCount };
}

/** The text of a section in pieces that are no longer than they have to be. The pieces of a long sample are kept apart from other text. */
function piecesOf(section: Section, opening: Piece | undefined): SectionPiece[] {
  const packs: SectionPiece[] = [];
  let pack = opening;
  for (const block of section.blocks) {
    const pieces = cut(pieceOf(block));
    const isLongSample = pieces.length > 1 && isDataSample(block);
    for (const piece of pieces) {
      if (pack !== undefined && (isLongSample || pack.text.length + piece.text.length > MAX_LENGTH)) {
        packs.push(pack);
        pack = undefined;
      }
      if (isLongSample) packs.push({ ...piece, isOfSample: true });
      else if (pack === undefined) pack = piece;
      else pack = { text: `${pack.text}\n${piece.text}`, line: pack.line, endLine: piece.endLine };
    }
  }
  if (pack !== undefined) packs.push(pack);
  return packs;
}

/** Whether a block is what an API is sent or answers with: names and made-up values. Other code says how something is done. */
function isDataSample(block: Block): boolean {
  return block.kind === 'code' && (DATA_LANGUAGE.test(block.language) || DATA_BEGINNING.test(block.content));
}

function pieceOf(block: Block): Piece {
  switch (block.kind) {
    case 'paragraph':
      return {
        text: block.text.text,
        line: block.text.line,
        endLine: lineAt(block.text, block.text.text.length),
      };
    case 'table': {
      const rows = [block.header, ...block.rows.map(({ cells }) => cells)];
      const text = rows.map((cells) => cells.map(({ text }) => text).join(' | ')).join('\n');
      return { text, line: block.line, endLine: block.rows.at(-1)?.line ?? block.line };
    }
    case 'code':
      return {
        text: block.content,
        line: block.line,
        endLine: block.line + Math.max(0, block.content.trimEnd().split('\n').length - 1),
      };
  }
}

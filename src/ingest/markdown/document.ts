/** The form in which the extractor reads a markdown file: sections of blocks, each with its line. */
import type { Problem } from '../../core/graph-model.ts';
import type { FrontMatter } from './front-matter.ts';
import type { RichText } from './rich-text.ts';

/** The place of a paragraph in a list. */
export interface ListPlace {
  readonly ordered: boolean;
  /** 1 for a list that is in no other list. */
  readonly depth: number;
  /** The number of the list in the document. */
  readonly list: number;
  /** Whether the paragraph is the first one of its item. */
  readonly opens: boolean;
}

export interface Paragraph {
  readonly kind: 'paragraph';
  readonly text: RichText;
  readonly place: ListPlace | undefined;
  /** Whether it is in a note or a warning, which is not part of the main text. */
  readonly isNote?: true;
}

export interface TableRow {
  readonly cells: readonly RichText[];
  readonly line: number;
}

export interface Table {
  readonly kind: 'table';
  readonly header: readonly RichText[];
  readonly rows: readonly TableRow[];
  readonly line: number;
}

export interface Code {
  readonly kind: 'code';
  /** The first word of the fence's info in lower case; empty for indented code and for fences without one. */
  readonly language: string;
  /** The whole info of the fence; empty for other code. */
  readonly info: string;
  readonly content: string;
  /** The first line of the content, from 1. */
  readonly line: number;
}

export type Block = Paragraph | Table | Code;

export interface Section {
  /** 1 to 6; 0 for the text above the first heading. */
  readonly level: number;
  readonly heading: RichText;
  /** The heading in plain text, without anchor, number and closing marks; empty for level 0. */
  readonly title: string;
  /** The line of the heading; 1 for level 0. */
  readonly line: number;
  /** Whether the heading is written as an HTML element. */
  readonly isElement?: true;
  readonly parent: Section | undefined;
  readonly blocks: readonly Block[];
}

export interface MarkdownDocument {
  /** Relative to the docs root. */
  readonly path: string;
  readonly frontMatter: FrontMatter;
  /** In document order. The first section has level 0 and may be empty. */
  readonly sections: readonly Section[];
  readonly problems: readonly Problem[];
}

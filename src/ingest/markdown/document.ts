/** The shape in which the extractor reads a markdown file: sections of blocks, each with its line. */
import type { Problem } from '../../core/graph-model.ts';
import type { FrontMatter } from './front-matter.ts';
import type { RichText } from './rich-text.ts';

/** Where in a list a paragraph stands. */
export interface ListPlace {
  readonly ordered: boolean;
  /** 1 for a list that is in no other. */
  readonly depth: number;
  /** Number of the list in the document. */
  readonly list: number;
  /** Whether the paragraph opens its item. */
  readonly opens: boolean;
}

export interface Paragraph {
  readonly kind: 'paragraph';
  readonly text: RichText;
  readonly place: ListPlace | undefined;
  /** Whether it stands in a note or a warning, which says something beside the text. */
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
  /** First word of the fence's info in lower case; empty for indented code and fences without one. */
  readonly language: string;
  /** The whole info of the fence; empty for other code. */
  readonly info: string;
  readonly content: string;
  /** 1-based line of the first line of content. */
  readonly line: number;
}

export type Block = Paragraph | Table | Code;

export interface Section {
  /** 1 to 6; 0 for what stands above the first heading. */
  readonly level: number;
  readonly heading: RichText;
  /** The heading in plain text, without anchor, number and closing marks; empty for level 0. */
  readonly title: string;
  /** Line of the heading, 1 for level 0. */
  readonly line: number;
  /** Whether the heading is written as an element of HTML. */
  readonly isElement?: true;
  readonly parent: Section | undefined;
  readonly blocks: readonly Block[];
}

export interface MarkdownDocument {
  /** Relative to the docs root. */
  readonly path: string;
  readonly frontMatter: FrontMatter;
  /** In document order; the first one has level 0 and may be empty. */
  readonly sections: readonly Section[];
  readonly problems: readonly Problem[];
}

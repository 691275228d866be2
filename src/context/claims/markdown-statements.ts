/**
 * Takes a markdown text apart into statements: one for each sentence, item of a list, row of a table and line of code, each with
 * its line and the headings above it.
 */
import { beforeMark } from './before-mark.ts';

export type StatementForm = 'sentence' | 'item' | 'row' | 'code';

export interface MarkdownStatement {
  /** The text without markup; code spans keep their backticks. */
  readonly text: string;
  /** The first line, 1-based. */
  readonly line: number;
  readonly form: StatementForm;
  /** The headings above it, outermost first. */
  readonly headings: readonly string[];
  /** The sentence before a list or table; for a row, also the headings of its columns. */
  readonly leadIn: string;
  /** The number of its paragraph, list or table, which all statements in that have. */
  readonly block: number;
}

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const HEADING = /^ {0,3}(#{1,6})\s+(.*?)\s*#*\s*$/;
const UNDERLINE = /^ {0,3}(=+|-+)\s*$/;
const ITEM = /^\s*(?:[-*+•]|\d{1,4}[.)]|:)\s+(.*)$/;
const ROW = /^\s*\|(.*?)\|?\s*$/;
const RULE_ROW = /^\s*\|?\s*:?-{2,}:?\s*(?:\|\s*:?-{2,}:?\s*)*\|?\s*$/;
const FRONT_MATTER = /^---[ \t]*\n.*?^(?:---|\.\.\.)[ \t]*(?:\n|$(?![\s\S]))/ms;
const COMMENT = /<!--.*?(?:-->|$(?![\s\S]))/gs;

/** Abbreviations after which a full stop ends no sentence. */
const ABBREVIATIONS =
  /\b(?:e\.g|i\.e|etc|vs|cf|approx|no|fig|mr|mrs|ms|dr|st|inc|ltd|jan|feb|mar|apr|jun|jul|aug|sep|sept|oct|nov|dec)\.$/i;
/** Longer than the longest abbreviation together with what is before it. */
const LONGEST_ENDING = 16;
const CAPITAL_NEXT = /\s+\p{Lu}/uy;
/** Matches from the first mark of a run only: if that one ends no sentence, the marks after it do not either. */
const SENTENCE_END = /(?<![.!?。！？])[.!?。！？]+["'”’)\]*_]*(?=\s|$)/g;

export function statementsOf(markdown: string): MarkdownStatement[] {
  const reader = new Reader();
  const text = markdown.replace(FRONT_MATTER, blank).replace(COMMENT, blank).replace(/\r\n?/g, '\n');
  for (const [index, line] of text.split('\n').entries()) reader.read(line, index + 1);
  return reader.end();
}

/** Longer text is no statement. Removing the markup from a hostile line that consists of brackets would take hours. */
const MAX_MARKED_LENGTH = 4000;

/** A text without inline markup: of links the text is left, of emphasis the words. Code spans keep their backticks, and very long text keeps its markup. */
function plainText(markdown: string): string {
  if (markdown.length > MAX_MARKED_LENGTH) return markdown.replace(/\s+/g, ' ').trim();
  return markdown
    .replace(/!?\[\[(?:[^\]|]*\|)?([^\]]*)\]\]/g, '$1')
    .replace(/!?\[([^\]]*)\](?:\([^)\s]*(?:\s+"[^"]*")?\)|\[[^\]]*\])/g, '$1')
    .replace(/<\/?[a-z][^>]*>/gi, '')
    .replace(/(\*\*|__)(?=\S)(.*?\S)\1/g, '$2')
    .replace(/(?<![\w*])([*_])(?=\S)([^*_]*?\S)\1(?![\w*])/g, '$2')
    .replace(/\\([\\`*_{}[\]()#+.!|<>~-])/g, '$1')
    .replace(/\s+/g, ' ')
    .trim();
}

/** The sentences of a text. They end at a full stop, question mark or exclamation mark with white space after it. */
export function sentencesOf(text: string): string[] {
  const sentences: string[] = [];
  let start = 0;
  let seen = 0;
  let isInCode = false;
  for (const { 0: mark, index } of text.matchAll(SENTENCE_END)) {
    const end = index + mark.length;
    // Each part is looked at once, even if nothing ends the sentence for long.
    if ((text.slice(seen, end).match(/`/g)?.length ?? 0) % 2 === 1) isInCode = !isInCode;
    seen = end;
    const last = text.slice(Math.max(start, end - LONGEST_ENDING), end);
    if (isInCode || ABBREVIATIONS.test(last) || /(?:^|\s)(?:\d{1,3}|\p{L})\.$/u.test(last)) {
      // "v1." ends a sentence only if a capital follows. An initial never does.
      CAPITAL_NEXT.lastIndex = end;
      if (isInCode || !/\d\.$/.test(last) || !CAPITAL_NEXT.test(text)) continue;
    }
    sentences.push(text.slice(start, end).trim());
    start = end;
  }
  const rest = text.slice(start).trim();
  return (rest === '' ? sentences : [...sentences, rest]).filter((sentence) =>
    /[\p{L}\p{N}]/u.test(sentence),
  );
}

function blank(text: string): string {
  return text.replace(/[^\n]/g, '');
}

interface Paragraph {
  readonly form: 'sentence' | 'item';
  readonly lines: { readonly text: string; readonly line: number }[];
}

class Reader {
  readonly #statements: MarkdownStatement[] = [];
  #headings: { readonly depth: number; readonly title: string }[] = [];
  #open: Paragraph | undefined;
  #fence: string | undefined;
  #columns: readonly string[] | undefined;
  #leadIn = '';
  #block = 0;

  read(line: string, number: number): void {
    if (this.#readFenced(line, number)) return;
    if (line.trim() === '') {
      this.#endBlock();
      return;
    }
    const heading = HEADING.exec(line);
    if (heading) {
      this.#head(heading[1]?.length ?? 1, heading[2] ?? '');
      return;
    }
    const underline = UNDERLINE.exec(line)?.[1];
    if (underline !== undefined && this.#open?.form === 'sentence') {
      this.#headOfParagraph(underline);
      return;
    }
    const row = ROW.exec(line);
    if (row) {
      this.#row(row[1] ?? '', line, number);
      return;
    }
    this.#columns = undefined;
    const item = ITEM.exec(line);
    if (item) {
      const term = /^\s*:/.test(line) ? this.#open?.lines.at(-1)?.text : undefined;
      this.#flush();
      // In a definition list, the line above is the term that is defined.
      if (term !== undefined) this.#leadIn = plainText(term);
      this.#open = { form: 'item', lines: [{ text: item[1] ?? '', line: number }] };
      return;
    }
    this.#open ??= { form: 'sentence', lines: [] };
    this.#open.lines.push({ text: line.replace(/^\s*(?:>\s*)+/, ''), line: number });
  }

  end(): MarkdownStatement[] {
    this.#endBlock();
    return this.#statements;
  }

  #readFenced(line: string, number: number): boolean {
    const mark = FENCE.exec(line)?.[1];
    if (this.#fence === undefined) {
      if (mark === undefined) return false;
      this.#flush();
      this.#fence = mark;
      this.#block += 1;
      return true;
    }
    if (mark?.startsWith(this.#fence) && line.trim() === mark) this.#fence = undefined;
    else if (/\p{L}/u.test(line)) this.#add(line.trim(), number, 'code', this.#leadIn);
    return true;
  }

  #head(depth: number, title: string): void {
    this.#endBlock();
    this.#leadIn = '';
    this.#headings = [
      ...this.#headings.filter((one) => one.depth < depth),
      { depth, title: plainText(title) },
    ];
  }

  #headOfParagraph(underline: string): void {
    const title = this.#open?.lines.map(({ text }) => text).join(' ') ?? '';
    this.#open = undefined;
    this.#head(underline.startsWith('=') ? 1 : 2, title);
  }

  #row(cells: string, line: string, number: number): void {
    this.#flush();
    if (RULE_ROW.test(line)) return;
    const texts = cells.split(/(?<!\\)\|/).map((cell) => plainText(cell));
    if (this.#columns === undefined) {
      this.#block += 1;
      this.#columns = texts;
      return;
    }
    const heads = this.#columns.filter((head) => head !== '').join(', ');
    const said = texts.filter((text) => text !== '').join(' | ');
    if (said !== '')
      this.#add(said, number, 'row', [this.#leadIn, heads].filter((one) => one !== '').join(' '));
  }

  #endBlock(): void {
    this.#flush();
    this.#columns = undefined;
    this.#block += 1;
  }

  #flush(): void {
    const open = this.#open;
    if (open === undefined) return;
    this.#open = undefined;
    const { text, lineAt } = joined(open);
    let from = 0;
    for (const sentence of sentencesOf(text)) {
      const at = text.indexOf(sentence, from);
      from = at + sentence.length;
      const head = from === sentence.length ? '' : headOf(text);
      const leadIn = open.form === 'item' ? `${this.#leadIn} ${head}`.trim() : '';
      this.#add(plainText(sentence), lineAt(at), open.form, leadIn);
      if (open.form === 'sentence')
        this.#leadIn = beforeMark(sentence, /[:：]/) === undefined ? '' : plainText(sentence);
    }
  }

  #add(text: string, line: number, form: StatementForm, leadIn: string): void {
    if (text === '') return;
    const headings = this.#headings.map(({ title }) => title);
    this.#statements.push({ text, line, form, headings, leadIn, block: this.#block });
  }
}

/** The subject of an item that begins with it: "`limit`: how many …". */
function headOf(item: string): string {
  const marked = /^(?:\*\*[^*]+\*\*|`[^`]+`)/.exec(item)?.[0];
  return plainText(marked ?? /^(?:\S+\s){0,5}?\S+?(?=\s*[:–—]\s|\s-\s)/.exec(item)?.[0] ?? '');
}

/** The lines of a paragraph as one text, and a function that tells the line of an offset. It has to be called with growing offsets. */
function joined({ lines }: Paragraph): { text: string; lineAt: (offset: number) => number } {
  const starts: { offset: number; line: number }[] = [];
  let text = '';
  for (const { text: line, line: number } of lines) {
    if (text !== '') text += ' ';
    starts.push({ offset: text.length, line: number });
    text += line.trim();
  }
  let at = 0;
  const lineAt = (offset: number): number => {
    while ((starts[at + 1]?.offset ?? Number.POSITIVE_INFINITY) <= offset) at += 1;
    return starts[at]?.line ?? 1;
  };
  return { text, lineAt };
}

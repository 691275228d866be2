import { partitionPoint } from '../../core/partition-point.ts';

/** The lines of a document as plain words, in which quotes of a model are looked for. */
export class QuotedLines {
  /** The plain text of all lines, with one space between them. */
  readonly #text: string;
  /** Where each line begins in it, in ascending order. */
  readonly #starts: readonly number[];
  readonly #source: string;

  constructor(text: string) {
    this.#source = text;
    const starts: number[] = [];
    let all = '';
    for (const line of text.split(/\r\n|\r|\n/)) {
      starts.push(all.length);
      const plain = plainOf(line);
      all += plain === '' ? '' : `${plain} `;
    }
    this.#text = all;
    this.#starts = starts;
  }

  /**
   * The line that a quote comes from, counted from 1; of several, the one nearest to where the model saw it. Undefined if the document does not contain the
   * quote, and for a quote of less than two words that is not a whole line, since it proves nothing.
   */
  lineOf(quote: string, near: number): number | undefined {
    const wanted = plainOf(quote.replace(/^\s*(?:\.{3}|…)|(?:\.{3}|…)\s*$/g, '').replace(/^\s*\d+\|/, ''));
    if (wanted === '') return undefined;
    let best: number | undefined;
    for (let at = this.#text.indexOf(wanted); at !== -1; at = this.#text.indexOf(wanted, at + 1)) {
      if (!isWhole(this.#text, at, wanted.length)) continue;
      const line = this.#lineAt(at);
      if (!wanted.includes(' ') && this.plain(line) !== wanted) continue;
      if (best === undefined || Math.abs(line - near) < Math.abs(best - near)) best = line;
    }
    return best;
  }

  /** The words of a line. */
  plain(line: number): string {
    return this.#text.slice(this.#starts[line - 1] ?? 0, this.#starts[line]).trim();
  }

  /** Whether the document contains these words one after another, anywhere, in the singular or the plural. */
  has(words: string): boolean {
    return placeOfName(this.#text, words) !== undefined;
  }

  /** Whether the document contains this very text, ignoring case and markup. */
  hasVerbatim(text: string): boolean {
    const wanted = plainOf(text);
    for (let at = this.#text.indexOf(wanted); at !== -1; at = this.#text.indexOf(wanted, at + 1)) {
      const end = this.#text.slice(at + wanted.length, at + wanted.length + 2);
      const isCut =
        /[\p{L}\p{N}_./-]/u.test(this.#text.charAt(at - 1)) ||
        /^(?:[\p{L}\p{N}_/-]|\.[\p{L}\p{N}])/u.test(end);
      if (!isCut) return true;
    }
    return false;
  }

  /**
   * Whether the document uses these words as a name: after an article or the like, set apart by markup, or with a capital within a sentence. A word that only
   * begins sentences (`Creating`, `On`) is no name.
   */
  writesAsName(words: string): boolean {
    const [first = '', ...rest] = words.split(' ').map(escapeText);
    const name = [first, ...rest].join('[\\s_-]+');
    const capital = `(?=\\p{Lu})${name}`;
    const determined = `\\b(?:an?|the|each|every|its|their|this|that|any|per|no|of|with|by|to|for)\\s+[*_\`["“]{0,3}${name}`;
    const marked = `[*_\`["“]${name}`;
    const within = `[\\p{Ll}\\d,;:)][ \\t]+${capital}`;
    return (
      new RegExp(`${determined}(?!\\p{L})`, 'iu').test(this.#source) ||
      new RegExp(`(?:${marked}|${within})`, 'u').test(this.#source)
    );
  }

  #lineAt(offset: number): number {
    let line = partitionPoint(this.#starts.length, (index) => (this.#starts[index] ?? 0) <= offset);
    // An empty line has the same start as the next one.
    while (line < this.#starts.length && this.plain(line) === '') line += 1;
    return line;
  }
}

/** A link or an image in markdown. Its length is limited, so that a line of nothing but brackets takes no longer than any other. */
export const LINK = /!?\[([^[\]]*)\]\([^)]{0,1000}\)/g;

/** The plain form of a text: white space and markup are removed, and case and the forms of quotation marks are unified. Everything else stays. */
export function plainOf(text: string): string {
  return text
    .normalize('NFKC')
    .replace(LINK, '$1')
    .replace(/<\/?[a-z][^<>]*>/gi, ' ')
    .replace(/[‘’]/g, "'")
    .replace(/[“”]/g, '"')
    .replace(/^\s*(?:[-*+]|\d+[.)]|#{1,6}|>)\s+/, '')
    .replace(/[*`~\\]|(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}])/gu, '')
    .replace(/\|/g, ' ')
    .replace(/\[\[|\]\]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase();
}

/** A range of plain text. */
export interface Stretch {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
}

/** Where plain text first contains a name. `PaymentMethod`, `payment_method` and `payment methods` are the same name. Undefined if it does not contain it. */
export function placeOfName(plain: string, name: string): Stretch | undefined {
  const match = nameIn(name)?.exec(plain);
  return match ? { start: match.index, end: match.index + match[0].length } : undefined;
}

function nameIn(name: string): RegExp | undefined {
  const words = plainOf(name.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2'))
    .split(/[\s_-]+/)
    .filter((word) => word !== '');
  const last = words.pop();
  if (last === undefined) return undefined;
  const escaped = words.map((word) => `${escapeText(word)}[\\s_-]?`).join('');
  // A part of a dotted name or of a path is another name.
  return new RegExp(
    `(?<![\\p{L}\\p{N}_]|\\p{L}[.:/])${escaped}${singularOrPlural(last)}(?![\\p{L}\\p{N}_]|[.:/]\\p{L})`,
    'u',
  );
}

function singularOrPlural(word: string): string {
  if (/(?:[^s]s)$/.test(word) && word.length > 3) return `${escapeText(word.slice(0, -1))}s?`;
  if (/[^aeiou]y$/.test(word)) return `${escapeText(word.slice(0, -1))}(?:y|ies)`;
  return `${escapeText(word)}(?:e?s)?`;
}

function escapeText(text: string): string {
  return text.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&');
}

/** Whether the text at a place is not part of a longer word, at either end. */
function isWhole(text: string, start: number, length: number): boolean {
  const isWord = (at: number) => /[\p{L}\p{N}]/u.test(text.charAt(at));
  return !(isWord(start - 1) && isWord(start)) && !(isWord(start + length - 1) && isWord(start + length));
}

/** Flattens the inline tokens of one block to text with marks. */
import type { Token } from './parser.ts';
import { EMPTY_TEXT, type Mark, type MarkKind, NO_ATTRIBUTES, type RichText } from './rich-text.ts';
import { INLINE_NAMES } from './tags.ts';

interface OpenMark {
  readonly kind: MarkKind;
  readonly start: number;
  readonly target: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly opener: string;
}

/** The marks of markdown that inline HTML elements stand for. */
const ELEMENT_KINDS: ReadonlyMap<string, MarkKind> = new Map([
  ['b', 'strong'],
  ['strong', 'strong'],
  ['i', 'emphasis'],
  ['em', 'emphasis'],
  ['code', 'code'],
  ['tt', 'code'],
  ['kbd', 'code'],
  ['samp', 'code'],
  ['a', 'link'],
]);

/** @param line the line of the file at which the block's text begins, from 1 */
export function flatten(tokens: readonly Token[], line: number): RichText {
  const first = tokens[0];
  if (first === undefined) return { ...EMPTY_TEXT, line };
  if (tokens.length === 1 && first.type === 'text')
    return { text: first.content, marks: [], line, breaks: [] };
  const flattener = new Flattener(line);
  for (const token of tokens) flattener.add(token);
  return flattener.finish();
}

class Flattener {
  #text = '';
  readonly #marks: Mark[] = [];
  readonly #breaks: number[] = [];
  readonly #open: OpenMark[] = [];
  /** How many of the open marks have each name. */
  readonly #openers = new Map<string, number>();
  readonly #line: number;

  constructor(line: number) {
    this.#line = line;
  }

  add(token: Token): void {
    switch (token.type) {
      case 'text':
        this.#text += token.content;
        break;
      case 'softbreak':
        this.#breakLine(' ');
        break;
      case 'hardbreak':
        this.#breakLine('\n');
        break;
      case 'code_inline':
        this.#append('code', token.content, '');
        this.#addBreaks(token);
        break;
      case 'wikilink':
        this.#append('wikilink', token.info === '' ? lastPart(token.content) : token.info, token.content);
        break;
      case 'image':
        this.#append('image', '', attribute(token, 'src'));
        break;
      case 'link_open':
        this.#start('link', 'link', attribute(token, 'href'), NO_ATTRIBUTES);
        break;
      case 'strong_open':
        this.#start('strong', 'strong', '', NO_ATTRIBUTES);
        break;
      case 'em_open':
        this.#start('emphasis', 'em', '', NO_ATTRIBUTES);
        break;
      case 'link_close':
      case 'strong_close':
      case 'em_close':
        this.#end(token.type.slice(0, -'_close'.length));
        break;
      case 'comment':
        this.#addShortcode(token);
        this.#addBreaks(token);
        break;
      case 'tag':
        this.#addTag(token);
        this.#addBreaks(token);
        break;
      default:
        this.#text += token.content;
    }
  }

  finish(): RichText {
    this.#leaveOpen(this.#open);
    this.#marks.sort((a, b) => a.start - b.start || b.end - a.end);
    return { text: this.#text, marks: this.#marks, line: this.#line, breaks: this.#breaks };
  }

  #append(kind: MarkKind, text: string, target: string): void {
    const start = this.#text.length;
    this.#text += text;
    this.#marks.push({ kind, start, end: this.#text.length, target, attributes: NO_ATTRIBUTES });
  }

  #start(kind: MarkKind, opener: string, target: string, attributes: ReadonlyMap<string, string>): void {
    this.#open.push({ kind, start: this.#text.length, target, attributes, opener });
    this.#openers.set(opener, this.#countOf(opener) + 1);
  }

  /** Closes the innermost open mark with this name. Tags left open within it cover nothing. */
  #end(opener: string): void {
    if (this.#countOf(opener) === 0) return;
    const left: OpenMark[] = [];
    for (let mark = this.#open.pop(); mark !== undefined; mark = this.#open.pop()) {
      this.#openers.set(mark.opener, this.#countOf(mark.opener) - 1);
      if (mark.opener !== opener) {
        left.push(mark);
        continue;
      }
      const { kind, start, target, attributes } = mark;
      this.#leaveOpen(left.reverse());
      this.#marks.push({ kind, start, end: this.#text.length, target, attributes });
      return;
    }
  }

  #countOf(opener: string): number {
    return this.#openers.get(opener) ?? 0;
  }

  /** A tag that closes in another paragraph, or never, still says something by its attributes. */
  #leaveOpen(marks: readonly OpenMark[]): void {
    for (const { kind, start, target, attributes } of marks) {
      if (attributes.size > 0) this.#marks.push({ kind, start, end: start, target, attributes });
    }
  }

  #addTag(token: Token): void {
    const lower = token.tag.toLowerCase();
    const attributes = attributesOf(token);
    const kind = ELEMENT_KINDS.get(lower);
    if (kind !== undefined && token.info !== 'void') {
      if (token.info === 'close') this.#end(`<${lower}>`);
      else this.#start(kind, `<${lower}>`, attributes.get('href') ?? '', NO_ATTRIBUTES);
      return;
    }
    const isBlock = !INLINE_NAMES.has(lower) && lower !== 'img';
    if (token.info === 'close') this.#end(`<${token.tag}>`);
    if (isBlock && token.info === 'close') this.#text += '\n';
    if (isBlock && token.info !== 'close') this.#text += '\n';
    if (token.info === 'open' && !EMPTY_ELEMENTS.has(lower))
      this.#start('tag', `<${token.tag}>`, token.tag, attributes);
    else if (token.info !== 'close' && attributes.size > 0) this.#addEmptyTag(token.tag, attributes);
  }

  /** Only the part of a shortcode that may be shown counts: a caption that names a path. */
  #addShortcode(token: Token): void {
    const shown = [...attributesOf(token)].filter(
      ([name, value]) => CAPTION.test(name) && value.includes('/'),
    );
    if (shown.length > 0) this.#addEmptyTag('shortcode', new Map(shown));
  }

  #addEmptyTag(name: string, attributes: ReadonlyMap<string, string>): void {
    const at = this.#text.length;
    this.#marks.push({ kind: 'tag', start: at, end: at, target: name, attributes });
  }

  #breakLine(separator: string): void {
    this.#text += separator;
    this.#breaks.push(this.#text.length);
  }

  #addBreaks(token: Token): void {
    const newlines = token.meta?.['newlines'];
    for (let count = typeof newlines === 'number' ? newlines : 0; count > 0; count -= 1) {
      this.#breaks.push(this.#text.length);
    }
  }
}

/** Attributes whose values are shown. */
const CAPTION = /^(?:title|caption|label)$/;

const EMPTY_ELEMENTS: ReadonlySet<string> = new Set(['br', 'hr', 'img', 'input', 'wbr', 'link', 'meta']);

function attribute(token: Token, name: string): string {
  const value = token.attrGet(name);
  return value === null ? '' : String(value);
}

function attributesOf(token: Token): ReadonlyMap<string, string> {
  const attributes = token.meta?.['attributes'];
  return attributes instanceof Map ? attributes : NO_ATTRIBUTES;
}

/** The text of a wikilink without an alias: the last part of its page, or the heading within the page. */
function lastPart(target: string): string {
  const page = target.replace(/[#@$^].*$/, '');
  const shown = page === '' ? target.replace(/^[#@$^]+/, '') : page;
  return shown.slice(shown.lastIndexOf('/') + 1);
}

import type { NodeKey } from '../core/graph-model.ts';
import { endpointKey, eventKey, HTTP_METHODS } from '../core/identity.ts';
import { partitionPoint } from '../core/partition-point.ts';
import type { DocsName, DocsNames } from './docs-names.ts';

/** A node of the docs that a text names, and where. */
export interface Mentioned {
  readonly name: DocsName;
  /** Lines of the text, 1-based, ascending, each once. */
  readonly lines: readonly number[];
  /** Whether it is written exactly like the label, or as code, at least once. */
  readonly isExact: boolean;
}

const ENDPOINT = new RegExp(
  `\\b(${HTTP_METHODS.join('|')})\\s+(?:https?://[^\\s/]+)?(/[^\\s\`'"<>)\\],;|]*)`,
  'g',
);
/** What may be an address or a path: without white space, quotes or brackets. */
const CHUNK = /[^\s()[\]<>"'`,;|]+/g;
const CODE = /`[^`\n]+`/g;
/** Words, and what is between them. */
const ASCII_PIECE = /[A-Za-z\d]+|[^A-Za-z\d]+/g;
const PIECE = /[\p{L}\p{N}]+|[^\p{L}\p{N}]+/gu;
/** What may be between the words of one name. */
const JOINT = /^(?:[ \t]+|[ \t]*\r?\n[ \t]*|[._:/-])$/;
/** The end of a text before the first word of a sentence, of a heading's line or of a list item. */
const SENTENCE_START = /(?:^|[.!?:]["')\]]*\s+|\n[\s\-*+>#|]*(?:\d+[.)]\s+)?)["'(*_[]*$/;
const HEADING_LINE = /(?:^|\n)#{1,6}[^\n]*$/;
/** A character that is not a part of any name. */
const BLANK = '\u0001';
/** Enough characters to see where a sentence began. */
const LOOK_BACK = 200;
const LINE_FEED = 0x0a;

/** A text without the parts that name nothing, split into words. */
interface Scan {
  readonly text: string;
  /** Words and what is between them, alternating. */
  readonly pieces: readonly string[];
  /** The places of code, in order. */
  readonly code: readonly Range[];
  readonly names: DocsNames;
}

type Range = readonly [start: number, end: number];

/** A place of a name. */
interface Place {
  readonly form: string;
  readonly named: readonly DocsName[];
  /** The number of pieces after its first one. */
  readonly more: number;
}

/**
 * The nodes of the docs that a text names: endpoints by method and path, events by their names, concepts by any spelling that folds to theirs. If
 * names overlap, the longest counts. Designed to find too little rather than too much: see {@link NameUse}.
 */
export function mentionsIn(text: string, names: DocsNames): Mentioned[] {
  const found = new Found(text);
  const left = withoutAddresses(withoutEndpoints(text, names, found));
  const scan: Scan = { text: left, pieces: piecesOf(left), code: codeIn(left), names };
  const isWord = /^[\p{L}\p{N}]/u.test(left);
  let start = 0;
  for (let index = 0; index < scan.pieces.length; index += 1) {
    const piece = scan.pieces[index] ?? '';
    const place = (index % 2 === 0) === isWord ? longestAt(scan, index, start) : undefined;
    if (place === undefined) {
      start += piece.length;
      continue;
    }
    const { form, named } = place;
    for (const name of named)
      found.add({ name, start, isExact: isWrittenLike(form, name.label) || isCode(scan, start) });
    index += place.more;
    start += form.length;
  }
  return found.mentions();
}

/** Notes the endpoints. Their parts do not name anything else. */
function withoutEndpoints(text: string, names: DocsNames, found: Found): string {
  if (!text.includes('/')) return text;
  return text.replace(ENDPOINT, (whole: string, method: string, path: string, start: number) => {
    const bare = path.replace(/[.:?!]+$/, '');
    const name = names.get(endpointKey(method, bare));
    if (name === undefined) return whole;
    found.add({ name, start, isExact: true });
    return blank(whole);
  });
}

/** Words within an address or a path do not name anything. */
function withoutAddresses(text: string): string {
  if (!text.includes('/') && !text.includes('@') && !text.includes('www.')) return text;
  return text.replace(CHUNK, (chunk) => (isAddress(chunk) ? blank(chunk) : chunk));
}

/** True for `https://…`, `a@b.c`, `/a/b`, `a/b/c` and `a/b.md`, but not for `this/that`. */
function isAddress(chunk: string): boolean {
  if (chunk.startsWith('www.') || chunk.includes('://') || chunk.indexOf('@') > 0) return true;
  const slash = chunk.indexOf('/');
  if (slash < 0) return false;
  return slash === 0 || chunk.indexOf('/', slash + 1) > 0 || /\.\w{1,8}(?::\d+)*[.:?!]?$/.test(chunk);
}

/** Line feeds stay, so that lines can be counted. */
function blank(text: string): string {
  return text.replace(/[^\n]/g, BLANK);
}

function piecesOf(text: string): readonly string[] {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII is meant
  const pattern = /^[\x00-\x7f]*$/.test(text) ? ASCII_PIECE : PIECE;
  return text.match(pattern) ?? [];
}

function codeIn(text: string): Range[] {
  if (!text.includes('`')) return [];
  return Array.from(text.matchAll(CODE), ({ 0: span, index }): Range => [index, index + span.length]);
}

/** The longest name that begins with this word, or several of equal length. */
function longestAt(scan: Scan, index: number, start: number): Place | undefined {
  const { pieces, names } = scan;
  const first = names.word(pieces[index] ?? '');
  if (first.named.length === 0 && !first.begins) return undefined;
  let longest: Place | undefined;
  let { letters, named, begins } = first;
  let form = pieces[index] ?? '';
  for (let at = index; ; ) {
    const meant = meantBy(form, named, scan, start);
    if (meant.length > 0) longest = { form, named: meant, more: at - index };
    const joint = pieces[at + 1];
    const next = pieces[at + 2];
    if (!begins || joint === undefined || next === undefined || !JOINT.test(joint)) return longest;
    form += joint + next;
    letters += names.word(next).letters;
    named = names.named(letters);
    begins = names.begins(letters);
    at += 2;
  }
}

function meantBy(form: string, named: readonly DocsName[], scan: Scan, start: number): readonly DocsName[] {
  return named.length === 0 ? named : named.filter((name) => isMeant(name, form, scan, start));
}

/** Whether a text that writes `form` means the node with this name. */
function isMeant({ type, key, label, use }: DocsName, form: string, scan: Scan, start: number): boolean {
  if (/[.:/]/.test(form) && !/[.:/]/.test(label)) return false;
  const asCode = isCode(scan, start);
  if (type === 'Event') return eventKey(form) === key && (asCode || isTelling(form));
  if (use === 'any' || asCode) return true;
  if (!isWrittenLike(form, label)) return false;
  if (use === 'exact' || /[^\s_-]\p{Lu}/u.test(form)) return true;
  return /^\p{Lu}/u.test(form) && !beginsSentence(scan.text, start);
}

/** Whether the form of an event's name shows that it is not just words of a sentence. */
function isTelling(form: string): boolean {
  if (/[.:/_-]|\p{Ll}\p{Lu}|^[\p{Lu}\d]+$/u.test(form)) return true;
  const words = form.split(/\s+/);
  return words.length > 1 && words.every((word) => /^[\p{Lu}\d]/u.test(word));
}

/** Whether a form is the label except for its number. */
function isWrittenLike(form: string, label: string): boolean {
  const one = form.replace(/\s+/g, ' ');
  return one === label || isPluralOf(one, label) || isPluralOf(label, one);
}

function isPluralOf(many: string, one: string): boolean {
  if (many.startsWith(one)) return /^(?:e?s)?$/.test(many.slice(one.length));
  return one.endsWith('y') && many === `${one.slice(0, -1)}ies`;
}

function isCode({ code }: Scan, start: number): boolean {
  const next = partitionPoint(code.length, (index) => (code[index]?.[1] ?? 0) <= start);
  return (code[next]?.[0] ?? start) < start;
}

function beginsSentence(text: string, start: number): boolean {
  const before = text.slice(Math.max(0, start - LOOK_BACK), start);
  return SENTENCE_START.test(before) || HEADING_LINE.test(before);
}

/** One place of a name of the docs. */
interface FoundName {
  readonly name: DocsName;
  readonly start: number;
  /** Whether it is written like its label, or as code. */
  readonly isExact: boolean;
}

/** Collects mentions by node, in the order of their first places. */
class Found {
  readonly #text: string;
  readonly #byKey = new Map<NodeKey, { name: DocsName; starts: number[]; isExact: boolean }>();

  constructor(text: string) {
    this.#text = text;
  }

  add({ name, start, isExact }: FoundName): void {
    const known = this.#byKey.get(name.key);
    if (known === undefined) {
      this.#byKey.set(name.key, { name, starts: [start], isExact });
      return;
    }
    known.starts.push(start);
    known.isExact ||= isExact;
  }

  mentions(): Mentioned[] {
    return Array.from(this.#byKey.values(), ({ name, starts, isExact }) => {
      return {
        name,
        lines: linesOf(
          this.#text,
          starts.sort((a, b) => a - b),
        ),
        isExact,
      };
    });
  }
}

/** @param starts ascending */
function linesOf(text: string, starts: readonly number[]): number[] {
  const lines = new Set<number>();
  let line = 1;
  let at = 0;
  for (const start of starts) {
    for (; at < start; at += 1) if (text.charCodeAt(at) === LINE_FEED) line += 1;
    lines.add(line);
  }
  return [...lines];
}

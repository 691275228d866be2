import type { NodeKey } from '../core/graph-model.ts';
import { endpointKey, eventKey, HTTP_METHODS } from '../core/identity.ts';
import type { DocsName, DocsNames } from './docs-names.ts';

/** A node of the docs that a text names, and where. */
export interface Mentioned {
  readonly name: DocsName;
  /** 1-based lines of the text, ascending, each once. */
  readonly lines: readonly number[];
  /** Whether it is somewhere written exactly like the label, or as code. */
  readonly isExact: boolean;
}

const ENDPOINT = new RegExp(
  `\\b(${HTTP_METHODS.join('|')})\\s+(?:https?://[^\\s/]+)?(/[^\\s\`'"<>)\\],;|]*)`,
  'g',
);
/** Addresses, and paths that end in a file or have several parts: words within them name nothing. */
const ADDRESS = /(?:https?:\/\/|www\.)\S+|[\w.+-]+@[\w-]+\.[\w.-]+/g;
const PATH = /(?:\/[\w.{}:<>-]+){2,}\/?|(?:[\w.-]+\/){2,}[\w.-]*|(?:[\w.-]+\/)+[\w-]+\.\w{1,8}\b/g;
const CODE = /`[^`\n]+`/g;
const ASCII_WORD = /[A-Za-z\d]+/g;
const WORD = /[\p{L}\p{N}]+/gu;
/** What may stand between the words of one name. */
const JOINT = /^(?:[ \t]+|[ \t]*\r?\n[ \t]*|[._:/-])$/;
/** What is left of a text before the first word of a sentence, a heading's line or a list's item. */
const SENTENCE_START = /(?:^|[.!?:]["')\]]*\s+|\n\s*(?:[-*+>#|]+\s*|\d+[.)]\s+)*)["'(*_[]*$/;
const HEADING_LINE = /(?:^|\n)#{1,6}[^\n]*$/;
/** A character that is no part of any name. */
const BLANK = '\u0001';
/** Enough to see where a sentence began. */
const LOOK_BACK = 200;
const LINE_FEED = 0x0a;

interface Word {
  readonly start: number;
  readonly end: number;
  readonly lower: string;
}

/** A text without what names nothing, cut into words. */
interface Scan {
  readonly text: string;
  readonly words: readonly Word[];
  /** Where code is, in order. */
  readonly code: readonly Range[];
  readonly names: DocsNames;
}

type Range = readonly [start: number, end: number];

/** Where names are written. */
interface Place {
  readonly start: number;
  readonly form: string;
  readonly named: readonly DocsName[];
  /** Index of the word behind it. */
  readonly next: number;
}

/**
 * What of the docs a text names: endpoints by method and path, events by their names, concepts by any spelling that folds to theirs. Where
 * names overlap the longest counts. Built to say too little rather than too much: see {@link NameUse}.
 */
export function mentionsIn(text: string, names: DocsNames): Mentioned[] {
  const found = new Found(text);
  const left = withoutAddresses(withoutEndpoints(text, names, found));
  const scan: Scan = { text: left, words: wordsOf(left), code: codeIn(left), names };
  for (let index = 0; index < scan.words.length; ) {
    const place = longestAt(scan, index);
    index = place?.next ?? index + 1;
    if (place === undefined) continue;
    const { start, form, named } = place;
    for (const name of named) found.add(name, start, isWrittenLike(form, name.label) || isCode(scan, start));
  }
  return found.mentions();
}

/** Notes the endpoints; what they are made of names nothing else. */
function withoutEndpoints(text: string, names: DocsNames, found: Found): string {
  if (!text.includes('/')) return text;
  return text.replace(ENDPOINT, (whole: string, method: string, path: string, start: number) => {
    const bare = path.replace(/[.:?!]+$/, '');
    const name = names.get(endpointKey(method, bare));
    if (name === undefined) return whole;
    found.add(name, start, true);
    return blank(whole);
  });
}

function withoutAddresses(text: string): string {
  const hasAddress = text.includes('://') || text.includes('www.') || text.includes('@');
  const left = hasAddress ? text.replace(ADDRESS, blank) : text;
  return left.includes('/') ? left.replace(PATH, blank) : left;
}

/** Line feeds stay, so that lines can be counted. */
function blank(text: string): string {
  return text.replace(/[^\n]/g, BLANK);
}

function wordsOf(text: string): Word[] {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII is meant
  const pattern = /^[\x00-\x7f]*$/.test(text) ? ASCII_WORD : WORD;
  return Array.from(text.matchAll(pattern), ({ 0: word, index }) => {
    return { start: index, end: index + word.length, lower: word.normalize('NFKC').toLowerCase() };
  });
}

function codeIn(text: string): Range[] {
  if (!text.includes('`')) return [];
  return Array.from(text.matchAll(CODE), ({ 0: span, index }): Range => [index, index + span.length]);
}

/** The longest name that begins with this word, or several of equal length. */
function longestAt(scan: Scan, index: number): Place | undefined {
  const { text, words, names } = scan;
  const start = words[index]?.start ?? 0;
  let longest: Place | undefined;
  let folded = '';
  for (let at = index; at < words.length; at += 1) {
    const word = words[at];
    if (word === undefined || (at > index && !isJoined(scan, at))) break;
    folded += word.lower;
    const { named, begins } = names.lookUp(folded);
    if (named.length > 0) {
      const form = text.slice(start, word.end);
      const meant = named.filter((name) => isMeant(name, form, scan, start));
      if (meant.length > 0) longest = { start, form, named: meant, next: at + 1 };
    }
    if (!begins) break;
  }
  return longest;
}

function isJoined({ text, words }: Scan, at: number): boolean {
  return JOINT.test(text.slice(words[at - 1]?.end, words[at]?.start));
}

/** Whether a text that writes `form` means the node of this name. */
function isMeant({ type, key, label, use }: DocsName, form: string, scan: Scan, start: number): boolean {
  if (/[.:/]/.test(form) && !/[.:/]/.test(label)) return false;
  const asCode = isCode(scan, start);
  if (type === 'Event') return eventKey(form) === key && (asCode || isTelling(form));
  if (use === 'any' || asCode) return true;
  if (!isWrittenLike(form, label)) return false;
  if (use === 'exact' || /[^\s_-]\p{Lu}/u.test(form)) return true;
  return /^\p{Lu}/u.test(form) && !beginsSentence(scan.text, start);
}

/** Whether the name of an event shows by its form that it is none of the words of a sentence. */
function isTelling(form: string): boolean {
  if (/[.:/_-]|\p{Ll}\p{Lu}|^[\p{Lu}\d]+$/u.test(form)) return true;
  const words = form.split(/\s+/);
  return words.length > 1 && words.every((word) => /^[\p{Lu}\d]/u.test(word));
}

/** Whether a form is the label but for its number. */
function isWrittenLike(form: string, label: string): boolean {
  const one = form.replace(/\s+/g, ' ');
  return one === label || isPluralOf(one, label) || isPluralOf(label, one);
}

function isPluralOf(many: string, one: string): boolean {
  if (many.startsWith(one)) return /^(?:e?s)?$/.test(many.slice(one.length));
  return one.endsWith('y') && many === `${one.slice(0, -1)}ies`;
}

function isCode({ code }: Scan, start: number): boolean {
  return code.some(([from, to]) => start > from && start < to);
}

function beginsSentence(text: string, start: number): boolean {
  const before = text.slice(Math.max(0, start - LOOK_BACK), start);
  return SENTENCE_START.test(before) || HEADING_LINE.test(before);
}

/** Collects mentions by node, in the order of their first place. */
class Found {
  readonly #text: string;
  readonly #byKey = new Map<NodeKey, { name: DocsName; starts: number[]; isExact: boolean }>();

  constructor(text: string) {
    this.#text = text;
  }

  add(name: DocsName, start: number, isExact: boolean): void {
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

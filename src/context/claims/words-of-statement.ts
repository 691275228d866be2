/** A statement in the form that is compared: its words in order, which of them are denied, and its numbers. */
import { groupBy } from '../../core/group.ts';
import { STOP_WORDS } from '../../words/stop-words.ts';
import { stemOf } from '../../words/tokens.ts';
import { impliedQuantitiesOf, type Quantity, quantitiesOf } from './quantities.ts';

export interface Word {
  /** The word in lower case. */
  readonly text: string;
  readonly stem: string;
  /** Whether it says something by itself, unlike a stop word. */
  readonly isContent: boolean;
  /** Whether it has a capital that is not due to the beginning of a sentence, or has one inside. */
  readonly isName: boolean;
  /** The index of the dotted or underscored name (`charge.succeeded`) that it is part of. */
  readonly identifier: number | undefined;
  readonly isDenied: boolean;
  /** Whether it denies something itself: `not`, `never`, `no`. */
  readonly isDenying: boolean;
  /** The number of its clause. Commas, semicolons and the like separate clauses. */
  readonly clause: number;
}

/** Whether it is a word of content or a number. */
export function isTelling({ isContent, text }: Word): boolean {
  return isContent || text === '#';
}

export interface StatementWords {
  readonly text: string;
  readonly words: readonly Word[];
  readonly identifiers: readonly (readonly string[])[];
  readonly quantities: readonly Quantity[];
  /** Quantities that words such as "an hour" and "twice" imply, in addition. */
  readonly implied: readonly Quantity[];
}

const PART = /[\p{L}\p{N}]+(?:['’]\p{L}+)?|[.,;:()|–—/]/gu;
/** Names that programs use: with a dot, underscore, slash or colon inside. */
const IDENTIFIER =
  /(?<![\p{L}\p{N}])[$@/]?[\p{L}\p{N}*{}]+(?:(?:[._]|::|[/:](?=[\p{L}{_*]))[\p{L}\p{N}*{}_-]+)+/gu;

/** Words that deny what follows, up to the end of the clause. */
const DENYING = new Set(['not', 'never', 'cannot', 'nor', 'neither', 'without', 'hardly', 'nowhere']);
/** Words that deny the whole clause. */
const DENYING_CLAUSE = new Set(['no', 'none', 'nothing', 'nobody']);
const CLAUSE_MARKS = new Set([',', ';', ':', '(', ')', '|', '–', '—']);
const CLAUSE_WORDS = new Set([
  'but',
  'while',
  'whereas',
  'because',
  'so',
  'although',
  'though',
  'unless',
  'until',
  'if',
  'when',
  'which',
  'then',
  'and',
  'once',
]);
/** In "not only" and "no longer than 5", nothing is denied. */
const NO_DENIAL =
  /\b(?:not only|not just|no (?:more|less|fewer|later|earlier|longer|larger|smaller) than|no matter|whether or not|if not)\b/giu;

/** Stands in the place of a number. Its stem begins with `#`. */
const PLACE_OF_NUMBER = {
  text: '#',
  isContent: false,
  isName: false,
  identifier: undefined,
  isDenying: false,
} as const;

export function wordsOfStatement(text: string): StatementWords {
  const plain = text.normalize('NFKC').replaceAll('`', ' ');
  const quantities = quantitiesOf(plain);
  const identifierSpans = identifierSpansOf(plain);
  const words = wordsIn(plain, quantities, identifierSpans);
  const byIdentifier = groupBy(words, ({ identifier }) => identifier);
  const identifiers = identifierSpans.map((_, number) =>
    (byIdentifier.get(number) ?? []).map(({ text }) => text),
  );
  return { text, words, identifiers, quantities, implied: impliedQuantitiesOf(plain) };
}

function wordsIn(plain: string, quantities: readonly Quantity[], identifierSpans: readonly Span[]): Word[] {
  const quantityAt = spanAt(quantities);
  const identifierAt = spanAt(identifierSpans);
  const harmlessAt = spanAt(spansOf(plain.matchAll(NO_DENIAL)));
  const clauses = new Clauses();
  for (const { 0: part, index } of plain.matchAll(PART)) {
    const quantity = quantities[quantityAt(index) ?? -1];
    const identifier = identifierAt(index);
    if (quantity !== undefined) {
      clauses.addNumber(`#${quantity.value} ${quantity.dimension}`);
    } else if (/^[^\p{L}\p{N}]/u.test(part)) {
      if (identifier === undefined && CLAUSE_MARKS.has(part)) clauses.begin();
    } else {
      const mayDeny = identifier === undefined && harmlessAt(index) === undefined;
      for (const piece of piecesOf(part, identifier !== undefined))
        takeWord(clauses, piece.toLowerCase(), { identifier, mayDeny, isName: isName(piece, plain, index) });
    }
  }
  return clauses.words;
}

/** Adds a word, which may begin a clause or deny something. @param lower the word in lower case */
function takeWord(
  clauses: Clauses,
  lower: string,
  { mayDeny, ...rest }: Pick<Word, 'identifier' | 'isName'> & { readonly mayDeny: boolean },
): void {
  const isOrdinary = rest.identifier === undefined;
  if (isOrdinary && CLAUSE_WORDS.has(lower)) clauses.begin();
  const isDenying = mayDeny && isDenyingWord(lower);
  if (isDenying) clauses.deny(DENYING_CLAUSE.has(lower) ? 'all of it' : 'what follows');
  clauses.add({
    ...rest,
    text: lower,
    // Porter's algorithm would take it for the plural of `http`.
    stem: lower === 'https' ? lower : stemOf(lower),
    isContent: !isOrdinary || isContentWord(lower),
    isDenying,
  });
}

function isContentWord(lower: string): boolean {
  return (lower === 'now' || !STOP_WORDS.has(lower)) && !/['’]/.test(lower) && !DENYING.has(lower);
}

/** Collects the words of a statement in order, with their clauses, and which of them are denied. */
class Clauses {
  readonly words: Word[] = [];
  #clause = 0;
  /** The index of the first word of the clause. */
  #start = 0;
  /** All words of the clause before this index are denied. */
  #deniedTo = 0;
  #isDenied = false;

  begin(): void {
    this.#clause += 1;
    this.#start = this.words.length;
    this.#isDenied = false;
  }

  /** Notes that the clause says that something is not so. */
  deny(what: 'all of it' | 'what follows'): void {
    this.#isDenied = true;
    if (what === 'what follows') return;
    for (let at = Math.max(this.#start, this.#deniedTo); at < this.words.length; at += 1) {
      const word = this.words[at];
      if (word !== undefined) this.words[at] = { ...word, isDenied: true };
    }
    this.#deniedTo = this.words.length;
  }

  add(word: Omit<Word, 'isDenied' | 'clause'>): void {
    this.words.push({ ...word, isDenied: this.#isDenied, clause: this.#clause });
  }

  /** A quantity may be written in several parts, and is one word. */
  addNumber(stem: string): void {
    if (stem !== this.words.at(-1)?.stem) this.add({ ...PLACE_OF_NUMBER, stem });
  }
}

function isDenyingWord(word: string): boolean {
  return DENYING.has(word) || DENYING_CLAUSE.has(word) || /n['’]t$/.test(word);
}

/** Each part of an identifier stays as it is. Other words are split at their capitals: `PaymentMethod`. */
function piecesOf(part: string, isIdentifier: boolean): string[] {
  const plain = part.normalize('NFKD').replace(/\p{M}+/gu, '');
  if (isIdentifier) return [plain];
  return plain
    .replace(/(\p{Ll}|\d)(?=\p{Lu})/gu, '$1 ')
    .replace(/(\p{Lu})(?=\p{Lu}\p{Ll})/gu, '$1 ')
    .split(' ');
}

function identifierSpansOf(text: string): Span[] {
  return spansOf(text.matchAll(IDENTIFIER)).filter(
    ({ start, end }) =>
      /\p{L}/u.test(text.slice(start, end)) && !/^(?:e\.g|i\.e|and\/or)/i.test(text.slice(start, end)),
  );
}

interface Span {
  readonly start: number;
  readonly end: number;
}

function spansOf(matches: Iterable<RegExpExecArray>): Span[] {
  return Array.from(matches, ({ 0: { length }, index }) => ({ start: index, end: index + length }));
}

function isName(piece: string, text: string, index: number): boolean {
  if (!/^\p{Lu}/u.test(piece)) return false;
  const before = text.slice(0, index).trimEnd();
  return before !== '' && !/[.!?:|–—"“(-]/.test(before.charAt(before.length - 1));
}

/**
 * The index of the first of these spans that contains a place. The spans are sorted by their starts. It has to be called with growing places, so that
 * each span is passed only once.
 */
function spanAt(spans: readonly Span[]): (index: number) => number | undefined {
  let at = 0;
  return (index) => {
    while ((spans[at]?.end ?? Number.POSITIVE_INFINITY) <= index) at += 1;
    return (spans[at]?.start ?? Number.POSITIVE_INFINITY) <= index ? at : undefined;
  };
}

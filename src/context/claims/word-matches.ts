/** Finds which words of a claim a statement has: as they are, by a word of the same root or meaning, or because they are in its headings. */
import type { Thesaurus } from '../../words/thesaurus.ts';
import { stemOf } from '../../words/tokens.ts';
import { deniedBy, oppositesOf } from './opposites.ts';
import type { StatementWords, Word } from './words-of-statement.ts';

/** A statement of a source, with the headings and the sentence above it. */
export interface SourceWords extends StatementWords {
  /** The stems of title, headings and lead-in: they count as said. */
  readonly under: ReadonlySet<string>;
  /** The words of the same texts in order. */
  readonly underText: readonly string[];
  /** Whether it is a line of code, which shows something but states little. */
  readonly isCode: boolean;
  /** The stems of the statements just before and after, if it speaks of what they name: "It is kept". */
  readonly around: ReadonlySet<string>;
}

export interface Weighing {
  /** How much a stem says, from 0.8 for one that is everywhere to 1.4. */
  readonly weightOf: (stem: string) => number;
  readonly thesaurus: Pick<Thesaurus, 'related'> | undefined;
}

const UNDER = 0.95;
const UNDER_CODE = 0.5;
const AROUND = 0.75;
const KIN = 0.9;
const SYNONYM = 0.85;
/** The nearness in the thesaurus from which words count as synonyms. Words that are merely near are what wrong claims are made of. */
const SYNONYM_NEARNESS = 0.6;
const NAME_WEIGHT = 1.5;
export const EMPTY_WEIGHT = 0.35;
/** Words that can be said of anything. */
export const EMPTY_WORDS = new Set(
  `use uses used using make makes made provide provides support supports work works happen happens take takes give gives get gets call called
  include includes contain contains simply automatically currently then well way thing also e.g i.e specific certain various several able
  describe describes described document documentation docs according note please new particular respective corresponding
  mean means occur occurs exist exists result results soon moment instant`
    .split(/\s+/)
    .filter((word) => word !== ''),
);

export interface Match {
  readonly word: Word;
  readonly weight: number;
  /** How well the source has the word, from 0 to 1. */
  readonly found: number;
  /** The index of the word in the source statement itself. */
  readonly at: number | undefined;
  /** Whether one of the two has the word with a prefix that negates it. */
  readonly isFlipped: boolean;
  /** Whether it is the word itself, not one that means about the same. */
  readonly isExact: boolean;
}

type Found = Pick<Match, 'found' | 'at' | 'isFlipped' | 'isExact'>;

export function matchWords(
  claim: StatementWords,
  source: SourceWords,
  { weightOf, thesaurus }: Weighing,
): Match[] {
  const seen = new Set<string>();
  const aligned = align(claim.words, source.words);
  return claim.words.flatMap((word, index) => {
    if (!word.isContent || word.identifier !== undefined || seen.has(word.stem)) return [];
    seen.add(word.stem);
    const base = EMPTY_WORDS.has(word.text) ? EMPTY_WEIGHT : weightOf(word.stem);
    const weight = word.isName ? Math.max(base, NAME_WEIGHT) : base;
    return [{ word, weight, ...findWord(word, aligned.get(index), source, thesaurus) }];
  });
}

/** @param aligned the place where the source has the word in the claim's order, if it does */
function findWord(
  word: Word,
  aligned: number | undefined,
  source: SourceWords,
  thesaurus: Weighing['thesaurus'],
): Found {
  const { words } = source;
  const same = words.flatMap((one, at) => (one.stem === word.stem ? [at] : []));
  const best = aligned ?? same.find((at) => words[at]?.identifier === undefined) ?? same[0];
  if (best !== undefined) return { found: 1, at: best, isFlipped: false, isExact: true };
  const flipped = words.findIndex(
    (one) => isDenialOf(word.text, one.text) || isDenialOf(one.text, word.text),
  );
  if (flipped !== -1) return { found: 1, at: flipped, isFlipped: true, isExact: true };
  const kin = words.findIndex((one) => one.isContent && isKin(word.text, one.text));
  if (kin !== -1) return { found: KIN, at: kin, isFlipped: false, isExact: true };
  const near = thesaurus === undefined ? undefined : nearest(word, words, thesaurus);
  if (near !== undefined) return near;
  if (source.under.has(word.stem))
    return { found: source.isCode ? UNDER_CODE : UNDER, at: undefined, isFlipped: false, isExact: true };
  const found = source.around.has(word.stem) ? AROUND : 0;
  return { found, at: undefined, isFlipped: false, isExact: true };
}

/** The longest run of stems that both have in the same order: indexes in the source by indexes in the claim. */
function align(ours: readonly Word[], theirs: readonly Word[]): ReadonlyMap<number, number> {
  const own = comparable(ours);
  const other = comparable(theirs);
  const width = other.length + 1;
  const lengths = new Uint16Array((own.length + 1) * width);
  const lengthAt = (row: number, column: number) => lengths[row * width + column] ?? 0;
  for (let row = own.length - 1; row >= 0; row -= 1) {
    for (let column = other.length - 1; column >= 0; column -= 1) {
      const isSame = own[row]?.stem === other[column]?.stem;
      lengths[row * width + column] = isSame
        ? lengthAt(row + 1, column + 1) + 1
        : Math.max(lengthAt(row + 1, column), lengthAt(row, column + 1));
    }
  }
  const aligned = new Map<number, number>();
  for (let row = 0, column = 0; row < own.length && column < other.length; ) {
    const [one, two] = [own[row], other[column]];
    if (one !== undefined && two !== undefined && one.stem === two.stem) {
      aligned.set(one.at, two.at);
      row += 1;
      column += 1;
    } else if (lengthAt(row + 1, column) >= lengthAt(row, column + 1)) row += 1;
    else column += 1;
  }
  return aligned;
}

function comparable(words: readonly Word[]): { readonly stem: string; readonly at: number }[] {
  return words.flatMap(({ stem, text, isContent }, at) => (isContent || text === '#' ? [{ stem, at }] : []));
}

/** How close to each other the matched words are, from 0 to 1. */
export function compactness(matches: readonly Match[]): number {
  const places = matches.flatMap(({ at }) => at ?? []);
  if (places.length === 0) return 0;
  return places.length / (Math.max(...places) - Math.min(...places) + 1);
}

/** Whether a word is another one with a negating prefix: `unsupported` and `supported`. */
function isDenialOf(word: string, plain: string): boolean {
  const rest = deniedBy(word);
  return rest !== undefined && stemOf(rest) === stemOf(plain);
}

/** Words of one root that Porter's algorithm keeps apart: `renewal` and `renew`. */
function isKin(one: string, other: string): boolean {
  if (one.replace(/i(?:ed|es)$/, 'y') === other.replace(/i(?:ed|es)$/, 'y')) return true;
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return length >= MIN_ROOT && [one, other].every((word) => ENDINGS.has(word.slice(length)));
}

const MIN_ROOT = 5;
const ENDINGS = new Set(
  ',s,e,es,d,ed,ing,er,ers,or,ors,al,als,ion,ions,ation,ations,ition,ment,ments,ance,ence,ancy,ency,ly,able,ible,ive,ity,ness,y,ies,ied,ption,ptions,be,bes,bed,ful,less,ant,ent,ize,ise,ized,ised'.split(
    ',',
  ),
);

function nearest(
  word: Word,
  words: readonly Word[],
  thesaurus: Pick<Thesaurus, 'related'>,
): Found | undefined {
  const opposites = oppositesOf(word.text);
  const nearness = new Map<string, number>();
  for (const [related, near] of thesaurus.related(word.text)) {
    const stem = stemOf(related);
    nearness.set(stem, Math.max(near, nearness.get(stem) ?? 0));
  }
  let best: { at: number; near: number } | undefined;
  for (const [at, { stem, text, isContent }] of words.entries()) {
    const near = isContent && !opposites.includes(text) ? (nearness.get(stem) ?? 0) : 0;
    if (near > (best?.near ?? 0)) best = { at, near };
  }
  if (best === undefined || best.near < SYNONYM_NEARNESS) return undefined;
  return { found: SYNONYM, at: best.at, isFlipped: false, isExact: false };
}

/** Indexes of the words of an identifier with several parts in a statement; empty if the statement does not have it. */
export function placesOfIdentifier({ words }: StatementWords, name: readonly string[]): number[] {
  const at = words.findIndex((_, start) => name.every((part, index) => words[start + index]?.text === part));
  return at === -1 ? [] : name.map((_, index) => at + index);
}

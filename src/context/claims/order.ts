/** Finds whether two statements with the same words say them the other way round: "A triggers B" and "B triggers A". */
import type { StatementWords, Word } from './words-of-statement.ts';

/** Stop words that say how the things before and after them are related. */
const BETWEEN = new Set([
  'before',
  'after',
  'than',
  'over',
  'under',
  'above',
  'below',
  'from',
  'to',
  'into',
  'by',
  'of',
  'for',
]);
/** Words that mean the same in both directions. */
const SYMMETRIC = new Set([
  'equal',
  'match',
  'same',
  'differ',
  'meet',
  'relat',
  'similar',
  'and',
  'or',
  'with',
  'near',
  'marri',
  'talk',
]);
const BE = new Set(['is', 'are', 'was', 'were', 'be', 'been', 'being', 'gets', 'get']);
const IRREGULAR = new Set(
  'sent paid made kept held set put taken given written thrown known shown built found lost read bought sold told led met won'.split(
    ' ',
  ),
);
/** Words that are further apart have little to do with each other. */
const MAX_APART = 12;

interface Place {
  readonly index: number;
  readonly word: Word;
}

/**
 * Looks for two words of the claim with a third between them that the source has in the opposite order, within one clause. If one of the statements
 * is in the passive voice with "by", the same order is the wrong one.
 */
export function isReversed(claim: StatementWords, source: StatementWords): boolean {
  const shared = sharedWords(claim, source);
  if (reversesFromTo(claim, source)) return true;
  for (const [at, middle] of shared.entries()) {
    if (!isRelating(middle.inClaim.word)) continue;
    const passives = [isPassive(claim, middle.inClaim.index), isPassive(source, middle.inSource.index)];
    const isFlipped = passives[0] !== passives[1];
    const left = shared.slice(0, at).filter((one) => isThing(one.inClaim.word) && isNear(one, middle));
    const right = shared.slice(at + 1).filter((one) => isThing(one.inClaim.word) && isNear(one, middle));
    const side = ({ inSource }: Shared) => Math.sign(inSource.index - middle.inSource.index);
    const expected = isFlipped ? 1 : -1;
    const [before, after] = [left.at(-1), right[0]];
    if (before === undefined || after === undefined || isList(claim, before, after)) continue;
    if (side(before) !== expected && side(after) === expected) return true;
  }
  return false;
}

interface Shared {
  readonly inClaim: Place;
  readonly inSource: Place;
}

/** Words that both have, the first occurrence matched with the first and so on, in the order of the claim. */
function sharedWords(claim: StatementWords, source: StatementWords): Shared[] {
  const places = placesByStem(source);
  const pairs = [...placesByStem(claim)].flatMap(([stem, own]) => {
    const others = places.get(stem) ?? [];
    return own.map((inClaim, index) => ({ inClaim, inSource: others[index] }));
  });
  return pairs
    .flatMap(({ inClaim, inSource }) => (inSource === undefined ? [] : [{ inClaim, inSource }]))
    .sort((a, b) => a.inClaim.index - b.inClaim.index);
}

function placesByStem({ words, identifiers }: StatementWords): Map<string, Place[]> {
  const places = new Map<string, Place[]>();
  let previous: number | undefined;
  for (const [index, word] of words.entries()) {
    const { identifier } = word;
    const isRest = identifier !== undefined && identifier === previous;
    previous = identifier;
    // An identifier is one thing: its first word stands for all of it.
    if (isRest || !(word.isContent || BETWEEN.has(word.text))) continue;
    const key = identifier === undefined ? word.stem : (identifiers[identifier]?.join('.') ?? word.text);
    const there = places.get(key);
    if (there === undefined) places.set(key, [{ index, word }]);
    else there.push({ index, word });
  }
  return places;
}

function isRelating(word: Word): boolean {
  return word.identifier === undefined && !word.isName && !SYMMETRIC.has(word.stem);
}

function isThing(word: Word): boolean {
  return word.isContent;
}

function isNear(one: Shared, middle: Shared): boolean {
  return (
    Math.abs(one.inClaim.index - middle.inClaim.index) <= MAX_APART &&
    Math.abs(one.inSource.index - middle.inSource.index) <= MAX_APART &&
    one.inSource.word.clause === middle.inSource.word.clause &&
    one.inClaim.word.clause === middle.inClaim.word.clause
  );
}

/** As in "is triggered by", "was sent by". */
function isPassive({ words }: StatementWords, index: number): boolean {
  const verb = words[index];
  if (verb === undefined || !(/(?:ed|en)$/.test(verb.text) || IRREGULAR.has(verb.text))) return false;
  const isAfterBe = words.slice(Math.max(0, index - 3), index).some(({ text }) => BE.has(text));
  return isAfterBe && words.slice(index + 1, index + 6).some(({ text }) => text === 'by');
}

/** In "a, b and c" the order means nothing. */
function isList({ words }: StatementWords, before: Shared, after: Shared): boolean {
  const between = words.slice(before.inClaim.index + 1, after.inClaim.index);
  return (
    between.some(({ text }) => text === 'and' || text === 'or') &&
    between.filter(({ isContent }) => isContent).length <= 1
  );
}

function reversesFromTo(claim: StatementWords, source: StatementWords): boolean {
  const [one, other] = [fromToOf(claim), fromToOf(source)];
  if (one === undefined || other === undefined) return false;
  return one.from === other.to && one.to === other.from && one.from !== one.to;
}

function fromToOf({ words }: StatementWords): { from: string; to: string } | undefined {
  const at = words.findIndex(({ text }) => text === 'from');
  if (at === -1) return undefined;
  const to = words.findIndex(({ text }, index) => index > at && text === 'to');
  const [from, target] = [at, to].map(
    (index) => words.slice(index + 1).find(({ isContent }) => isContent)?.stem,
  );
  return to === -1 || from === undefined || target === undefined ? undefined : { from, to: target };
}

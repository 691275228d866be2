/** Finds the names of a document's parts among the words of its sentences, in any letter case and number. */
import { STOP_WORDS } from './clause.ts';
import { conceptKeyOf, isQualifier, isVerb } from './names.ts';
import { KIND_OF_PART } from './part-counts.ts';
import type { FoundParts, Part } from './parts.ts';
import type { Word } from './words.ts';

/** Where a part is named. */
export interface NamedPart {
  readonly part: Part;
  readonly start: number;
  /** Behind what says of which kind it is: `relay service`. */
  readonly end: number;
}

/** The parts of a document by the first word of their names. */
export interface PartNames {
  readonly byFirst: ReadonlyMap<string, readonly PartName[]>;
  /** Keys of the systems that have them. */
  readonly systems: ReadonlySet<string>;
}

interface PartName {
  readonly part: Part;
  /** All words but the last, in small letters. */
  readonly leading: readonly string[];
  /** The key of the last one, in which its number does not count. */
  readonly last: string;
}

export const NO_NAMES: PartNames = { byFirst: new Map(), systems: new Set() };

export function partNamesOf({ parts, systems }: FoundParts): PartNames {
  const byFirst = new Map<string, PartName[]>();
  for (const part of parts) {
    const words = part.label.toLowerCase().split(' ');
    const last = conceptKeyOf(words.at(-1) ?? '');
    const leading = words.slice(0, -1);
    for (const first of leading.length > 0 ? leading.slice(0, 1) : formsOf(words.at(-1) ?? ''))
      byFirst.set(first, [...(byFirst.get(first) ?? []), { part, leading, last }]);
  }
  for (const names of byFirst.values()) names.sort((a, b) => b.leading.length - a.leading.length);
  return { byFirst, systems };
}

/** A word in the singular and in the plural. */
function formsOf(word: string): Set<string> {
  const stem = word.replace(/s$/, '');
  return new Set([word, stem, `${stem}s`, `${word}es`, word.replace(/y$/, 'ies')]);
}

/** The parts that a sentence names, in order. */
export function findNamedParts(
  text: string,
  words: readonly Word[],
  { byFirst, systems }: PartNames,
): NamedPart[] {
  if (byFirst.size === 0) return [];
  const found: NamedPart[] = [];
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index];
    if (word === undefined) continue;
    const candidates = byFirst.get(word.text);
    if (candidates === undefined) continue;
    for (const name of candidates) {
      const last = index + name.leading.length;
      if (!isAt(text, words, index, name) || !standsAlone(text, words, index, last, systems)) continue;
      const owner = words[index - 1];
      const isOwned = owner !== undefined && isOwner(text, words, index - 1, systems);
      const end = endOfKind(text, words, last);
      found.push({ part: name.part, start: isOwned ? owner.start : word.start, end });
      index = last;
      break;
    }
  }
  return found;
}

function isAt(text: string, words: readonly Word[], from: number, { leading, last }: PartName): boolean {
  for (let offset = 0; offset < leading.length; offset += 1) {
    const [word, next] = [words[from + offset], words[from + offset + 1]];
    if (
      word === undefined ||
      word.text !== leading[offset] ||
      next === undefined ||
      !isOneSpace(text, word, next)
    )
      return false;
  }
  const word = words[from + leading.length];
  return word !== undefined && conceptKeyOf(word.text) === last;
}

/** Whether a name is no part of a longer one: `the relay`, not `the pattern relay`, `relay timeouts` and `they relay rows`. */
function standsAlone(
  text: string,
  words: readonly Word[],
  first: number,
  last: number,
  systems: ReadonlySet<string>,
): boolean {
  const [head, tail, before, next] = [words[first], words[last], words[first - 1], words[last + 1]];
  if (head === undefined || tail === undefined) return false;
  const isJoined = before !== undefined && isOneSpace(text, before, head);
  const isGlued = /[\w./'’-]$/.test(text.slice(Math.max(0, head.start - 1), head.start));
  if (isGlued || /^(?:[-/]\w|\.\w|['’])/.test(text.slice(tail.end, tail.end + 2))) return false;
  if (isJoined && !mayStandBefore(before) && !isOwner(text, words, first - 1, systems)) return false;
  if (first === last && isVerbal(head) && !(isJoined && (DETERMINER.test(before.text) || head.capital)))
    return false;
  if (next === undefined || !isOneSpace(text, tail, next)) return true;
  return isPluralForm(tail.text) || mayStandBehind(text, words, last + 1);
}

const DETERMINER =
  /^(?:an?|the|this|that|these|those|each|every|all|any|its|their|our|one|multiple|several|another|other)$/;

/** `the Kiln relay`: what is written with a capital before a part is the system that has it. */
function isOwner(text: string, words: readonly Word[], at: number, systems: ReadonlySet<string>): boolean {
  const [word, next] = [words[at], words[at + 1]];
  if (word === undefined || next === undefined || !word.capital || !isOneSpace(text, word, next))
    return false;
  return systems.has(conceptKeyOf(word.text));
}

/** Whether a word is as often a verb. */
function isVerbal({ text }: Word): boolean {
  return isVerb(text) || isVerb(text.replace(/s$/, '')) || /^(?:rules?|blocks?|values?|checks?)$/.test(text);
}

function mayStandBefore({ text, phrases }: Word): boolean {
  return (
    STOP_WORDS.has(text) ||
    DETERMINER.test(text) ||
    isQualifier(text) ||
    phrases !== undefined ||
    isVerb(text) ||
    /(?:ed|ing|ly|able|al|ive|ful|less|ent|ant|ous|ate|same|own)$/.test(text) ||
    isVerb(text.replace(/(?:es|s)$/, ''))
  );
}

const KIND = new RegExp(`^(?:${KIND_OF_PART}|instances?|nodes?|replicas?)$`);

/** Whether a word behind a name in the singular goes on with the sentence, and names nothing together with it. */
function mayStandBehind(text: string, words: readonly Word[], at: number): boolean {
  const [word, next] = [words[at], words[at + 1]];
  if (word === undefined) return true;
  if (KIND.test(word.text))
    return next === undefined || !isOneSpace(text, word, next) || mayStandBehind(text, words, at + 1);
  if (STOP_WORDS.has(word.text) || word.phrases !== undefined || /ly$|^both$/.test(word.text)) return true;
  if (next === undefined) return false;
  return (
    /[^s]s$/.test(word.text) &&
    (STOP_WORDS.has(next.text) || DETERMINER.test(next.text) || isQualifier(next.text))
  );
}

/** `relay service`: the kind belongs to the name. */
function endOfKind(text: string, words: readonly Word[], last: number): number {
  const [word, next] = [words[last], words[last + 1]];
  if (word === undefined) return 0;
  const isKind = next !== undefined && isOneSpace(text, word, next) && KIND.test(next.text);
  return isKind ? next.end : word.end;
}

function isPluralForm(word: string): boolean {
  return /[^su]s$/.test(word);
}

function isOneSpace(text: string, { end }: Word, { start }: Word): boolean {
  return start === end + 1 && text.charAt(end) === ' ';
}

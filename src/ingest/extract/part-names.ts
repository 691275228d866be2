/** Finds the names of a document's parts in its sentences, in any letter case, singular or plural. */
import { STOP_WORDS } from './clause.ts';
import { conceptKeyOf, isQualifier, isVerb } from './names.ts';
import { KIND_OF_PART } from './part-counts.ts';
import type { FoundParts, Part } from './parts.ts';
import type { Word } from './words.ts';

/** A place where a part is named. */
export interface NamedPart {
  readonly part: Part;
  readonly start: number;
  /** The end, including a noun for its kind: `relay service`. */
  readonly end: number;
}

/** The parts of a document by the words of their names, so that many names with the same beginning take no longer to find than one. */
export interface PartNames {
  /** By the first word of names: how many words may stand before the last one, the greatest number first. */
  readonly byFirst: ReadonlyMap<string, readonly number[]>;
  /** By all words but the last, in lower case, and then by the key of the last one, which is the same for singular and plural. */
  readonly byLeading: ReadonlyMap<string, ReadonlyMap<string, Part>>;
  /** The keys of the systems that have these parts. */
  readonly systems: ReadonlySet<string>;
}

export const NO_NAMES: PartNames = { byFirst: new Map(), byLeading: new Map(), systems: new Set() };

export function partNamesOf({ parts, systems }: FoundParts): PartNames {
  const lengths = new Map<string, Set<number>>();
  const byLeading = new Map<string, Map<string, Part>>();
  const add = (part: Part, name: string) => {
    const words = name.split(' ');
    const last = words.pop() ?? '';
    const { length, [0]: first } = words;
    for (const form of first === undefined ? formsOf(last) : [first])
      lengths.set(form, (lengths.get(form) ?? new Set()).add(length));
    const leading = words.join(' ');
    const named = byLeading.get(leading) ?? new Map<string, Part>();
    const key = conceptKeyOf(last);
    if (!named.has(key)) named.set(key, part);
    byLeading.set(leading, named);
  };
  for (const part of parts) {
    const name = (part.short ?? part.label).toLowerCase();
    add(part, name);
    if (name.includes(' ')) add(part, name.replaceAll(' ', '-'));
  }
  const byFirst = new Map([...lengths].map(([first, of]) => [first, [...of].sort((a, b) => b - a)] as const));
  return { byFirst, byLeading, systems };
}

/** A word in the singular and in the plural. */
function formsOf(word: string): Set<string> {
  const stem = word.replace(/s$/, '');
  return new Set([word, stem, `${stem}s`, `${word}es`, word.replace(/y$/, 'ies')]);
}

/** The parts that a sentence names, in order of their places. */
export function findNamedParts(text: string, words: readonly Word[], names: PartNames): NamedPart[] {
  const { byFirst, systems } = names;
  if (byFirst.size === 0) return [];
  const found: NamedPart[] = [];
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index];
    if (word === undefined) continue;
    for (const length of byFirst.get(word.text) ?? []) {
      const last = index + length;
      const part = partAt(text, words, index, last, names);
      if (part === undefined || !standsAlone(text, words, index, last, systems)) continue;
      const owner = words[index - 1];
      const isOwned = owner !== undefined && isOwner(text, words, index - 1, systems);
      const end = endOfKind(text, words, last);
      found.push({ part, start: isOwned ? owner.start : word.start, end });
      index = last;
      break;
    }
  }
  return found;
}

function partAt(
  text: string,
  words: readonly Word[],
  first: number,
  last: number,
  { byLeading }: PartNames,
): Part | undefined {
  const leading: string[] = [];
  for (let at = first; at < last; at += 1) {
    const [word, next] = [words[at], words[at + 1]];
    if (word === undefined || next === undefined || !isOneSpace(text, word, next)) return undefined;
    leading.push(word.text);
  }
  const word = words[last];
  return word && byLeading.get(leading.join(' '))?.get(conceptKeyOf(word.text));
}

/** Whether a name is not part of a longer one: `the relay`, but not `the pattern relay`, `relay timeouts` or `they relay rows`. */
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

/** Whether a capitalised word before a part is the system that has it: `the Kiln relay`. */
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

/** Whether a word behind a name in the singular continues the sentence, and is not part of the name. */
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

/** Where the noun for the kind ends, which belongs to the name: `relay service`. */
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

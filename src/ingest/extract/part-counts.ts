/** Counts how often a document names something in a position where parts of a system are named. */
import { lineAt, type RichText } from '../markdown/rich-text.ts';
import type { Definition } from './definitions.ts';
import { bareName, conceptKeyOf, isCapitalised, isName, isQualifier, isTelling, isVerb } from './names.ts';
import { isNominal } from './title.ts';
import { phrasesFrom } from './verb-phrases.ts';

/** Nouns behind a name that say what kind of part it is. */
export const KIND_OF_PART =
  'services?|components?|process(?:es)?|daemons?|servers?|workers?|modules?|subsystems?|microservices?|containers?|pods?|agents?|controllers?';

/** How often a name occurs in the position of a part's name. */
export interface Counted {
  readonly part: Definition;
  /** Whether it is written with capitals before the noun for its kind. */
  readonly isProper: boolean;
  count: number;
}

/** Last words of names of places where things are kept, or wait. */
const STORES = 'storage|stores?|databases?|queues?|buckets?|rings?|caches?|brokers?|registry|registries';

const HEADS = new RegExp(`\\s(?:(${KIND_OF_PART})|(${STORES}))(?![\\w-])`, 'g');

/** Counts names such as `the Row Planner service` and `the row store`. */
export function countNames(text: RichText, counts: Map<string, Counted>): void {
  for (const match of text.text.matchAll(HEADS)) {
    const before = text.text.slice(Math.max(0, match.index - 50), match.index);
    const isProper = match[1] !== undefined;
    const label = isProper ? properName(before) : nameOfStore(before, match[2] ?? '');
    if (label !== undefined) count({ label, isProper, start: match.index }, text, counts);
  }
}

function count(
  { label, isProper, start }: { readonly label: string; readonly isProper: boolean; readonly start: number },
  text: RichText,
  counts: Map<string, Counted>,
): void {
  const key = conceptKeyOf(label);
  const known = counts.get(key);
  if (known !== undefined) known.count += 1;
  else
    counts.set(key, {
      part: { ...definitionOf(label, text, start), confidence: 0.5, description: '' },
      isProper,
      count: 1,
    });
}

/** The subject at the start of a sentence: `The row planner hands each job …`. */
const SUBJECT =
  /(?:^|[.!?:]\s+|,\s+)(?:(?:[Tt]he|[Aa]n?|[Ee]ach|[Ee]very)\s+((?:[\p{L}\d][\p{L}\d-]*\s){1,3}?)|((?:\p{Lu}[\p{L}\d-]+\s){1,3}))(?:is|are|can|will|then|has|also|may|must|does|(\p{Ll}{3,}[^\Wsu])s)\s/gu;

/** Counts things that do something in sentences that begin with them. */
export function countSubjects(text: RichText, counts: Map<string, Counted>, systems: Set<string>): void {
  for (const match of text.text.matchAll(SUBJECT)) {
    const [, named, proper = '', stem] = match;
    const name = named ?? proper;
    if (stem !== undefined && !isVerb(stem) && !isVerb(`${stem}e`) && phrasesFrom(`${stem}s`) === undefined)
      continue;
    const label = bareName(name.replace(KIND_BEHIND, '').trim());
    if (label.split(' ').length > 3 || !isName(label) || !isTelling(label) || SAYING_WHICH.test(label))
      continue;
    count({ label, isProper: false, start: match.index }, text, counts);
    if (named === undefined) systems.add(conceptKeyOf(label));
  }
}

const KIND_BEHIND = new RegExp(`\\s(?:${KIND_OF_PART})\\s$`, 'i');

/** The name with capitals before "service": `the Row Planner`. */
function properName(before: string): string | undefined {
  const label = /(?:^|[\s(])(?:an?|the|each|[Tt]he|An?|Each)\s+((?:\p{Lu}[\p{L}\p{N}]+\s?){1,3})$/u
    .exec(before)?.[1]
    ?.trim();
  return label !== undefined && isTelling(label) && isCapitalised(label) && isNominal(label)
    ? label
    : undefined;
}

/** Words before a noun that say which, how or whose, and are no part of its name. */
const SAYING_WHICH =
  /^(?:same|own|other|different|single|separate|new|local|remote|main|shared|given|internal|external|underlying|whole|entire|large|small|empty|full|multiple|\w+(?:ed|ing|ly|able|al|ive|ful|less|ent|ant|ous))$/;

/** The name of a store: `row` from "the row" before "store". */
function nameOfStore(before: string, head: string): string | undefined {
  const match =
    /\b(?:an?|the|its|their|from|to|in|into|with|via|each)\s+((?:[\p{Ll}-]+\s)?[\p{Ll}-]+)$/iu.exec(
      before,
    )?.[1];
  if (match === undefined) return undefined;
  const words = match.split(' ').filter((word) => !/^(?:an?|the|its|their|each)$/i.test(word));
  while (words.length > 0 && (SAYING_WHICH.test(words[0] ?? '') || isQualifier(words[0] ?? '')))
    words.shift();
  if (words.length === 0) return undefined;
  const label = `${words.join(' ')} ${head}`;
  return isName(label) && isTelling(label) ? label : undefined;
}

export function definitionOf(label: string, text: RichText, start: number): Definition {
  return {
    key: conceptKeyOf(label),
    label,
    type: 'Concept',
    line: lineAt(text, start),
    confidence: 0.6,
    description: text.text,
  };
}

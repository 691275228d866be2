/**
 * What a sentence names: endpoints, events and things (objects and concepts). Each has its place, so that rules of relations
 * can look before and behind a verb.
 */
import type { NodeKey, NodeType } from '../../core/graph-model.ts';
import { eventKey } from '../../core/identity.ts';
import { withoutEnd } from '../../text/without-end.ts';
import { type Mark, type RichText, textOf } from '../markdown/rich-text.ts';
import { bareRequestsOf } from './bare-requests.ts';
import { type Endpoint, findEndpoints } from './endpoint-text.ts';
import { findEvents, type Setting } from './events.ts';
import { findNamedOperations } from './graphql-operations.ts';
import { bareName, conceptKeyOf, isCapitalised, isName, isQualifier, isTelling, isVerb } from './names.ts';
import { NOUN_IN_ING } from './noun-forms.ts';
import { objectOfTarget } from './object-links.ts';
import { findNamedParts } from './part-names.ts';
import type { Standing } from './parts.ts';
import type { Sentence } from './sentences.ts';
import { isThing } from './title.ts';
import { phrasesFrom } from './verb-phrases.ts';
import type { Word } from './words.ts';

export interface Ref {
  readonly key: NodeKey;
  readonly type: NodeType;
  readonly label: string;
  readonly start: number;
  readonly end: number;
  readonly confidence: number;
  /** Whether the words around it are enough to say that such a node exists. */
  readonly declares: boolean;
  /** Whether it is set off by markup, as authors do with names; false for plain words. */
  readonly marked: boolean;
  /** How the document mentions it, if it does so more than once. Then it is known where the name ends. */
  readonly part?: Standing;
}

/** The confidence of a name in bold without other evidence: enough for a thing if a relation is stated of it. */
export const BOLD = 0.35;

/** A sentence with more names is a list or data, and the rest of it is left out. */
const MAX_REFS = 60;

/** The names of an item, including an event that the item lists without markup, or under a name that may be a thing. */
export function withListed(
  refs: readonly Ref[],
  events: readonly { readonly name: string; readonly confidence: number }[],
  text: string,
): readonly Ref[] {
  const [listed] = events;
  if (listed === undefined || !text.startsWith(listed.name)) return refs;
  const { name, confidence } = listed;
  const end = name.length;
  const isOther = ({ type, label }: Ref) => type === 'Event' || label !== name;
  if (refs.some((ref) => ref.marked && ref.start < end && isOther(ref))) return refs;
  return [
    {
      key: eventKey(name),
      type: 'Event',
      label: name,
      start: 0,
      end,
      confidence,
      declares: true,
      marked: true,
    },
    ...refs.filter(({ start }) => start >= end),
  ];
}

/** All that a sentence names, in order and without overlaps. */
export function findRefs(text: Sentence, setting: Setting): Ref[] {
  const refs: Ref[] = [];
  for (const place of findEndpoints(text.text)) refs.push(endpointRef(place, place));
  for (const { mark, endpoint } of bareRequestsOf(text)) refs.push(endpointRef(endpoint, mark));
  const operations = setting.speaksOfGraphql ? findNamedOperations(text) : [];
  for (const { mark, operation } of operations) refs.push(endpointRef(operation, mark));
  for (const { name, start, end, confidence, declares } of findEvents(text, setting)) {
    add(refs, {
      key: eventKey(name),
      type: 'Event',
      label: name,
      start,
      end,
      confidence,
      declares,
      marked: true,
    });
  }
  for (const mark of text.marks) {
    const ref = nameOfMark(text, mark, setting);
    if (ref !== undefined) add(refs, ref);
  }
  for (const { part, start, end } of findNamedParts(text.text, text.words, setting.parts)) {
    const { key, label, type, standing } = part;
    const shown = { confidence: 0.3, declares: false, marked: false, part: standing };
    add(refs, { key, label, type, start, end, ...shown });
  }
  addPlainNames(text, refs);
  return refs.sort((a, b) => a.start - b.start).slice(0, MAX_REFS);
}

function endpointRef({ key, label }: Endpoint, { start, end }: Pick<Ref, 'start' | 'end'>): Ref {
  return { key, type: 'Endpoint', label, start, end, confidence: 0.8, declares: true, marked: true };
}

function add(refs: Ref[], ref: Ref): void {
  if (refs.length >= MAX_REFS * 2) return;
  if (refs.some((other) => other.start < ref.end && ref.start < other.end)) return;
  refs.push(ref);
}

/** The nouns of objects behind a name. Excluded are activities with objects of any kind, and places to keep them: "Kiln object detection", "clay object storage". */
const OBJECT =
  /objects?(?![\s-](?:detect(?:ion|or)|recognition|classification|segmentation|track(?:ing|er)|stor(?:age|e)\b|mapp(?:ing|er)|orient))/
    .source;
const OBJECT_BEHIND = new RegExp(
  String.raw`^["'”’]?\s+(?:${OBJECT}|resources?|entit(?:y|ies)|(?:data|domain)\s+models?)\b`,
  'i',
);
const PLAIN_OBJECT_BEHIND = new RegExp(String.raw`^\s+${OBJECT}\b`);
/** The rest of a list whose last words say what kind each of its names is: `the \`Order\` and \`Cart\` data models`. */
const OBJECTS_BEHIND =
  /^["'”’]?(?:\s*,)?\s*(?:(?:and|or)\s+)?(?:the\s+)?(?:[A-Z]\w*,?\s+(?:(?:and|or)\s+)?(?:the\s+)?){1,6}(?:objects|resources|entities|(?:data|domain)\s+models)\b/;
/** Words behind the name of a control on a screen. */
const CONTROL_BEHIND =
  /^["'”’]?\s+(?:button|function|method|class|script|file|tab|page|menu|section|dialog|modal|setting|option|field|icon|link|panel|toggle|checkbox|dropdown|screen|view|window|column|command|key)s?\b/i;
const GRANT_BEHIND =
  /^["'”’]?\s+(?:(?:oauth2?|gateway|bot|user|admin|api|token)\s+)?(?:permissions?|scopes?|intents?|privileges?|grants?|entitlements?|capabilit(?:y|ies))\b/i;
const GRANT_BEFORE =
  /\b(?:permissions?|scopes?|intents?|privileges?)(?:\s+(?:of|named|called|bit|flag))*\s*:?\s*$/i;

function nameOfMark(text: RichText, mark: Mark, setting: Setting): Ref | undefined {
  if (mark.kind === 'code') return nameOfCode(text, mark);
  if (mark.kind === 'link') return nameOfLink(text, mark);
  if (mark.kind === 'strong') return nameOfStrong(text, mark, setting);
  if (mark.kind !== 'wikilink') return undefined;
  const label = textOf(text, mark).trim();
  return isName(label)
    ? thing(label, mark, { type: 'Concept', confidence: 0.3, declares: false })
    : undefined;
}

function nameOfCode(text: RichText, mark: Mark): Ref | undefined {
  const label = textOf(text, mark).trim();
  if (!/^[A-Za-z][\w.:-]{1,60}$/.test(label)) return undefined;
  const behind = text.text.slice(mark.end, mark.end + 60);
  const before = text.text.slice(Math.max(0, mark.start - 40), mark.start);
  if (isName(label) && (GRANT_BEHIND.test(behind) || GRANT_BEFORE.test(before)))
    return thing(label, mark, { type: 'Concept', confidence: 0.8, declares: true });
  if (!isName(label) || /[.:]/.test(label)) return undefined;
  if (OBJECT_BEHIND.test(behind) || OBJECTS_BEHIND.test(text.text.slice(mark.end, mark.end + 160)))
    return thing(label, mark, {
      type: 'APIObject',
      confidence: 0.5,
      declares: isCapitalised(label) && isTelling(label),
    });
  return isCapitalised(label) && /[a-z]/.test(label)
    ? thing(label, mark, { type: 'APIObject', confidence: 0.2, declares: false })
    : undefined;
}

function nameOfLink(text: RichText, mark: Mark): Ref | undefined {
  const shown = textOf(text, mark).trim();
  if (shown === '') return undefined;
  const object = objectOfTarget(mark.target, shown);
  if (object !== undefined && isThing(object))
    return thing(object, mark, { type: 'APIObject', confidence: 0.9, declares: true });
  const label = bareName(shown);
  if (!isName(label) || isVerb(label.split(' ')[0] ?? '')) return undefined;
  if (OBJECT_BEHIND.test(text.text.slice(mark.end, mark.end + 30)) && isThing(label))
    return thing(label, mark, { type: 'APIObject', confidence: 0.8, declares: true });
  return thing(label, mark, { type: 'Concept', confidence: 0.3, declares: false });
}

function nameOfStrong(text: RichText, mark: Mark, { describesApi }: Setting): Ref | undefined {
  const shown = withoutEnd(textOf(text, mark), /[\s:]/);
  const label = bareName(shown);
  if (!isName(label) || label.split(' ').length > 4) return undefined;
  // In `**Impact:** Resources may …` the word behind the label is not part of the name.
  const isLabel = /:\s*$/.test(textOf(text, mark));
  const next = isLabel ? '' : text.text.slice(mark.end, mark.end + 40);
  const behind = `${shown.slice(shown.indexOf(label) + label.length)}${next}`;
  if (CONTROL_BEHIND.test(behind))
    return thing(label, mark, { type: 'Concept', confidence: 0.3, declares: false });
  if (!isCapitalised(label))
    return thing(label, mark, { type: 'Concept', confidence: BOLD, declares: false });
  if (label.includes(' ') && isVerb(label.split(' ')[0] ?? '')) return undefined;
  if (OBJECT_BEHIND.test(behind) && isThing(label))
    return thing(label, mark, {
      type: 'APIObject',
      confidence: 0.85,
      declares: isTelling(label) && !saysWhich(label, behind),
    });
  return thing(label, mark, {
    type: describesApi ? 'APIObject' : 'Concept',
    confidence: 0.4,
    declares: false,
  });
}

/** Whether a label names nothing: it says which are meant (`Bounded`, `Monthly`, `In-flight`, `Frequently referenced resources`) or what is done (`Manage resources`). */
function saysWhich(label: string, behind: string): boolean {
  if (!/^\W*\s(?:objects|resources|entities)\b/i.test(behind)) return false;
  if (DONE_WITH.test(label)) return true;
  return (
    /(?:ed|able|ible|ive|(?:^|\s)(?:dai|week|month|year)ly|(?:^|\s)in-\w+)$/i.test(label) &&
    !/(?:[bsf]eed|embed|table|archive|drive)$/i.test(label)
  );
}

/** Actions that apply to any thing, and so name none. Other verbs can be part of a name: `Charge objects`, `Embed resources`. */
const DONE_WITH = /^(?:add|create|delete|edit|get|list|manage|read|remove|update|use|view|write)$/i;

const MAX_NAME_WORDS = 4;

/** Adds capitalised words, which are names if another place declares them. */
function addPlainNames({ text, words }: Sentence, refs: Ref[]): void {
  for (let index = 0; index < words.length; index += 1) {
    const first = words[index];
    if (first === undefined || !first.capital || isGlued(text, first.start)) continue;
    if (isOpening(first.text, index === 0 || opensPart(text, words[index - 1], first))) continue;
    let last = first;
    for (let next = index + 1; next < index + MAX_NAME_WORDS; next += 1) {
      const word = words[next];
      if (word === undefined || !word.capital || word.start !== last.end + 1 || text.charAt(last.end) !== ' ')
        break;
      last = word;
      index = next;
    }
    addPlainName(text, first.start, last.end, refs);
  }
}

/** Whether a word has a capital because it begins a clause behind a label or a picture: `**Documentation**: Update the pages`, `🚨 Notify everybody`. */
function opensPart(text: string, previous: Word | undefined, { start, end }: Word): boolean {
  if (previous === undefined || !/^\s\p{Ll}/u.test(text.slice(end, end + 3))) return false;
  const before = text.slice(previous.start, start);
  return !/\p{L}/u.test(before) || /^[^:]*:[\s*]+$/.test(before);
}

/** Whether a word is the rest of a path, a host or a compound. */
function isGlued(text: string, start: number): boolean {
  return start > 0 && "./'’-_".includes(text.charAt(start - 1));
}

function addPlainName(text: string, start: number, end: number, refs: Ref[]): void {
  const label = text.slice(start, end);
  // `Widgets.js` is not Widgets.
  if (!isName(label) || /^\.\p{L}/u.test(text.slice(end, end + 2))) return;
  const isObject =
    PLAIN_OBJECT_BEHIND.test(text.slice(end, end + 30)) &&
    /\p{Ll}/u.test(label) &&
    !/ed$/.test(label) &&
    !isDone(label) &&
    isThing(label) &&
    isTelling(label);
  const type = isObject ? 'APIObject' : 'Concept';
  add(refs, {
    ...thing(label, { start, end }, { type, confidence: isObject ? 0.6 : 0.1, declares: isObject }),
    marked: false,
  });
}

/** Whether a label says what is done with things: `Downloading objects from a bucket`. */
function isDone(label: string): boolean {
  if (!/^\p{Lu}\p{Ll}+ing$/u.test(label) || NOUN_IN_ING.test(label.toLowerCase())) return false;
  const stem = label.slice(0, -'ing'.length);
  return isVerb(stem) || isVerb(`${stem}e`) || isVerb(stem.slice(0, -1));
}

/** Whether a word has a capital only because it begins the sentence. */
function isOpening(word: string, atStart: boolean): boolean {
  if (isQualifier(word)) return true;
  if (!atStart) return false;
  return (
    phrasesFrom(word) !== undefined ||
    isVerb(word) ||
    isVerb(word.replace(/s$/, '')) ||
    isVerb(word.replace(/(?:es|d|ed|ing)$/, '')) ||
    OPENERS.has(word) ||
    word.endsWith('ing')
  );
}

const OPENERS: ReadonlySet<string> = new Set(
  `if when whenever once while after before during for from in on at as by with without within upon to of or and but so then
  also however otherwise note see use using used only both either neither not you we they it he she i there here what which who
  how why where can may must should will would could do does is are was were has have had be been being please because since
  although though unless until instead like unlike per via yes no`.split(/\s+/),
);

function thing(
  label: string,
  { start, end }: Pick<Ref, 'start' | 'end'>,
  { type, confidence, declares }: Pick<Ref, 'type' | 'confidence' | 'declares'>,
): Ref {
  return { key: conceptKeyOf(label), type, label, start, end, confidence, declares, marked: true };
}

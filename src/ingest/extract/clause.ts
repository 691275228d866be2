/**
 * What stands before and behind a verb: the subject and the list of objects of a clause, found among the names of the
 * sentence and, where there is none, as a plain noun phrase that another document may declare.
 */
import { conceptKey } from '../../core/identity.ts';
import type { RichText } from '../markdown/rich-text.ts';
import { bareName, isName, isQualifier, OBJECT_NOUN } from './names.ts';
import type { Ref } from './refs.ts';
import type { VerbRule, Word } from './verbs.ts';

/** A sentence with its words outside code and links, and its names. */
export interface Clause {
  readonly text: string;
  readonly words: readonly Word[];
  readonly refs: readonly Ref[];
}

/** What the words before a verb say of its subject. */
export type Subject =
  | {
      readonly kind: 'named';
      readonly refs: readonly Ref[];
      /** Every name between the start of the clause and the verb. */
      readonly around: readonly Ref[];
    }
  /** Plain words that may be a name elsewhere: `key rotation`. */
  | { readonly kind: 'phrase'; readonly ref: Ref }
  /** There is none, or a pronoun: the section's subject is meant. */
  | { readonly kind: 'implied' }
  /** `this endpoint`, `the request`. */
  | { readonly kind: 'endpoint' }
  /** Something that has no name. */
  | { readonly kind: 'unknown' };

const WORD = /[\p{L}\p{N}_]+(?:['’-][\p{L}\p{N}_]+)*/gu;

export function makeClause(text: RichText, refs: readonly Ref[]): Clause {
  const opaque = text.marks.filter(({ kind }) => kind === 'code' || kind === 'link' || kind === 'wikilink');
  const words: Word[] = [];
  let next = 0;
  for (const match of text.text.matchAll(WORD)) {
    while ((opaque[next]?.end ?? Number.POSITIVE_INFINITY) <= match.index) next += 1;
    if ((opaque[next]?.start ?? Number.POSITIVE_INFINITY) <= match.index) continue;
    words.push({ text: match[0].toLowerCase(), start: match.index, end: match.index + match[0].length });
  }
  return { text: text.text, words, refs };
}

const STOP: ReadonlySet<string> = new Set(
  `of to in on at by for from with without within upon into onto over under between through during about as per via if when whenever where
  while because so that which who whose what is are was were be been being am do does did has have had will would can could may
  might shall should must not no never nothing none only then than also and or but nor if else there here it they them itself he she you we
  i us me up down out off until unless after before since once`.split(/\s+/),
);

const MAX_ADJECTIVES = 3;

/** The names behind a verb that it speaks of: the first one and those joined to it. */
export function readObjects(
  clause: Clause,
  from: number,
  means: VerbRule['means'],
): { refs: Ref[]; end: number } {
  const found: Ref[] = [];
  let at = from;
  for (;;) {
    const ref = nextName(clause, at, found.length === 0, means);
    if (ref === undefined || ((found[0]?.type === 'Event') !== (ref.type === 'Event') && found.length > 0))
      break;
    found.push(ref);
    const joint = behindName(clause, ref, ref.end);
    at = joint.end;
    if (!joint.goesOn || found.length > 20) break;
  }
  return { refs: found, end: at };
}

/** The name at `from`, behind articles and adjectives. */
function nextName(clause: Clause, from: number, isFirst: boolean, means: VerbRule['means']): Ref | undefined {
  let adjectives = 0;
  let at = from;
  for (;;) {
    const gap = /^[\s"'“(:]*(?:—\s*)?/.exec(clause.text.slice(at, at + 40))?.[0].length ?? 0;
    at += gap;
    const ref = clause.refs.find(({ start }) => start === at);
    if (ref !== undefined) {
      if (isGenitive(clause.text, ref) || isModifier(clause, ref)) at = skipGenitive(clause.text, ref.end);
      else return fits(ref, means) ? ref : undefined;
      continue;
    }
    const word = clause.words.find(({ start }) => start >= at);
    if (word === undefined || word.start !== at) return undefined;
    const isLead =
      isQualifier(word.text) || (word.text === 'at' && /^at\s+(?:least|most)\b/.test(clause.text.slice(at)));
    if (!isLead && !(word.text === 'of' && at > from)) {
      if (STOP.has(word.text) || !isFirst) return undefined;
      const plain = means === 'event' ? undefined : plainName(clause, at);
      if (plain !== undefined) return plain;
      adjectives += 1;
      if (adjectives > MAX_ADJECTIVES) return undefined;
    }
    at = word.end;
  }
}

function fits(ref: Ref, means: VerbRule['means']): boolean {
  if (means === 'event') return ref.type === 'Event';
  return means === 'any' || ref.type !== 'Event';
}

function isGenitive(text: string, ref: Ref): boolean {
  return /^['’]s?\s/.test(text.slice(ref.end, ref.end + 3));
}

function skipGenitive(text: string, end: number): number {
  return end + (/^['’]s?/.exec(text.slice(end, end + 2))?.[0].length ?? 0);
}

/** `**Webhook** event`, where the event is named before or behind: the word only says what kind of event. */
function isModifier({ text, refs }: Clause, ref: Ref): boolean {
  if (ref.type === 'Event' || ref.type === 'Endpoint') return false;
  const behind = /^\s+events?\b/i.exec(text.slice(ref.end, ref.end + 12));
  if (behind === null) return false;
  return refs.some((other) => other.type === 'Event' && Math.abs(other.start - ref.end) < 40);
}

/**
 * A noun phrase without markup: `a list of guild member objects` is `guild member`. It only says something where such a
 * node exists. Where a name follows within the phrase, that name is meant.
 */
function plainName(clause: Clause, from: number): Ref | undefined {
  const first = clause.words.findIndex(({ start }) => start === from);
  const words: Word[] = [];
  for (let index = first; index < clause.words.length && words.length < 5; index += 1) {
    const word = clause.words[index];
    const previous = words.at(-1);
    if (word === undefined || STOP.has(word.text)) break;
    if (previous !== undefined && clause.text.slice(previous.end, word.start) !== ' ') break;
    if (clause.refs.some(({ start, end }) => start <= word.start && word.start < end)) {
      return undefined;
    }
    if (previous !== undefined && OBJECT_NOUN.test(word.text)) break;
    if (previous !== undefined && /(?:ing|ed|able|ible)$/.test(word.text)) break;
    words.push(word);
  }
  const [head] = words;
  const tail = words.at(-1);
  if (head === undefined || tail === undefined) return undefined;
  if (followedByName(clause, tail.end)) return undefined;
  const label = bareName(clause.text.slice(head.start, tail.end));
  if (!isName(label) || label.split(' ').length > 4 || label.length < 3) return undefined;
  return {
    key: conceptKey(label),
    type: 'Concept',
    label,
    start: head.start,
    end: tail.end,
    confidence: 0.1,
    declares: false,
    marked: false,
  };
}

function followedByName({ text, refs }: Clause, end: number): boolean {
  return refs.some(
    (ref) => ref.marked && ref.start > end && ref.start - end < 3 && text.slice(end, ref.start).trim() === '',
  );
}

const JOINT =
  /^\s*(?:,\s*(?:and\/or|and|or|as well as)?|\band\/or\b|\band\b|\bor\b|&|\/|as well as|\+)\s*(?:optionally\s+|then\s+|also\s+|either\s+)?/i;

/** Where the list of names goes on behind a name: kinds, remarks in brackets and conjunctions are skipped. */
function behindName({ text }: Clause, ref: Ref, from: number): { end: number; goesOn: boolean } {
  let at = from;
  const kind =
    /^["'”’]?(?:\s+(?:gateway|webhook|web hook))?(?:\s+(?:objects?|resources?|entit(?:y|ies)|models?|schemas?|records?|events?|permissions?|scopes?|intents?|IDs?|instances?))?/i;
  at += kind.exec(text.slice(at, at + 60))?.[0].length ?? 0;
  if (ref.type === 'Event' && /^\s+Webhook\s+events?/i.test(text.slice(at, at + 20)))
    at += /^\s+Webhook\s+events?/i.exec(text.slice(at))?.[0].length ?? 0;
  const inside = /^\s*\((?=(?:or|and)\s)/i.exec(text.slice(at, at + 10));
  if (inside !== null) at += inside[0].length;
  else at += /^\s*\([^()]{0,120}\)/.exec(text.slice(at, at + 130))?.[0].length ?? 0;
  const joint = JOINT.exec(text.slice(at, at + 40));
  return joint === null ? { end: at, goesOn: false } : { end: at + joint[0].length, goesOn: true };
}

/** A subject is looked for in that many characters before its verb. */
const MAX_SUBJECT = 240;

const ADVERBIAL =
  /^[\s\W]*(?:if|when|whenever|on|at|after|before|for|upon|in|once|during|to|as|with|otherwise|then|next|finally|additionally|by|via|using|because|since|while|unless|until|instead|optionally|under|within|from|note that|however|also|e\.g\.|i\.e\.)\b/i;
const AUXILIARIES =
  /(?:[\s,(—–:-]|\b(?:can|may|might|could|must|should|will|would|shall|does|do|did|is|are|was|were|be|been|being|gets?|has|have|to|also|then|now|only|always|automatically|typically|usually|often|optionally|immediately|currently|internally|itself|either|both|each|all|and|or|but|which|that|who|it|\w+ly)\b)*$/i;
const ENDPOINT_SUBJECT =
  /^(?:(?:an?|this|the|that|each|every|any|all)\s+)?(?:\w+\s+)?(?:endpoint|method|request|call|operation|route|action|api call|api)s?$/i;
const PRONOUN =
  /^(?:it|this|they|these|that|the (?:object|resource|event|response|result)|returns?|response)?$/i;

/** The subject of a verb that begins at `verbStart`, in the words from `from` on. */
export function readSubject(clause: Clause, from: number, verbStart: number): Subject {
  const start = skipAdverbial(clause, Math.max(from, verbStart - MAX_SUBJECT), verbStart);
  const region = clause.text.slice(start, verbStart);
  const bare = region
    .replace(AUXILIARIES, '')
    .replace(/^[\s\W]+/, '')
    .trim();
  if (PRONOUN.test(bare)) return { kind: 'implied' };
  if (ENDPOINT_SUBJECT.test(bare)) return { kind: 'endpoint' };
  if (/^(?:the\s+|its?\s+)?[\w-]+\s+(?:field|property|parameter|attribute|key|header|value)s?\b/i.test(bare))
    return { kind: 'implied' };
  const refs = clause.refs.filter((ref) => ref.start >= start && ref.end <= verbStart);
  const heads = subjectRefs(clause, refs, start);
  if (heads.length > 0) return { kind: 'named', refs: heads, around: refs };
  if (refs.length > 0) return { kind: 'unknown' };
  const plain = plainSubject(clause, start, bare);
  return plain === undefined ? { kind: 'unknown' } : { kind: 'phrase', ref: plain };
}

/** `On success, …`, `If a trial is set, …`: what stands before the comma is no subject. */
function skipAdverbial({ text }: Clause, from: number, verbStart: number): number {
  const region = text.slice(from, verbStart);
  if (!ADVERBIAL.test(region)) return from;
  const comma = /[,:]\s/.exec(region);
  if (comma === null)
    return /^[\s\W]*(?:if|when|whenever|once|after|before|note that|because|since|while)\b/i.test(region)
      ? from + (/^[\s\W]*\w+(?:\s+that\b)?/.exec(region)?.[0].length ?? 0)
      : from;
  return from + comma.index + comma[0].length;
}

/** The first name that is no qualifier of another word, with the names joined to it. */
function subjectRefs(clause: Clause, refs: readonly Ref[], start: number): Ref[] {
  const { text } = clause;
  const first = refs.findIndex((ref) => {
    if (isGenitive(text, ref)) return false;
    const before = text.slice(start, ref.start);
    return !/\b(?:on|in|at|for|from|with|to|by|under|within|via|about|into|against|between|per|as|through|than)\s+(?:(?:an?|the|its|their|this|that|each|every|any|all|your)\s+)?(?:\w+\s+)?$/i.test(
      before,
    );
  });
  const head = refs[first];
  if (head === undefined) return [];
  const heads = [head];
  for (let index = first + 1; index < refs.length; index += 1) {
    const [previous, next] = [refs[index - 1], refs[index]];
    if (previous === undefined || next === undefined) break;
    if (
      !/^(?:\s+(?:objects?|resources?))?\s*(?:,\s*(?:and|or)?|\band\b|\bor\b)\s*(?:(?:an?|the)\s+)?$/i.test(
        text.slice(previous.end, next.start),
      )
    )
      break;
    heads.push(next);
  }
  return heads;
}

/** `a canceled subscription`, `creating a charge`: up to four plain words. */
function plainSubject(clause: Clause, start: number, bare: string): Ref | undefined {
  const phrase = bare
    .replace(/^(?:(?:an?|the|each|every|this|that|any|all|some|your|our|its)\s+)+/i, '')
    .replace(/^\w+ing\s+(?:(?:an?|the|your)\s+)?(?=\w)/i, '');
  const label = bareName(phrase);
  if (!/^[\p{L}\p{N}\s_-]+$/u.test(label) || label.split(' ').length > 3 || !isName(label)) return undefined;
  if (label.split(' ').some((word) => STOP.has(word.toLowerCase()))) return undefined;
  const at = clause.text.indexOf(phrase, start);
  return {
    key: conceptKey(label),
    type: 'Concept',
    label,
    start: at,
    end: at + phrase.length,
    confidence: 0.1,
    declares: false,
    marked: false,
  };
}

/** Whether the words before a verb deny it. */
export function isNegated({ text }: Clause, verbStart: number): boolean {
  return /(?:\b(?:not|never|no longer|cannot|without|neither|nor|rather than|instead of)|n['’]t)\s+(?:\w+\s+){0,1}$/i.test(
    text.slice(Math.max(0, verbStart - 40), verbStart),
  );
}

/** Whether the words before a verb make it a possibility. */
export function isPossible({ text }: Clause, verbStart: number): boolean {
  return /\b(?:can|may|might|could|should|would|optionally|sometimes|if|possibly)\s+(?:\w+\s+){0,2}$/i.test(
    text.slice(Math.max(0, verbStart - 40), verbStart),
  );
}

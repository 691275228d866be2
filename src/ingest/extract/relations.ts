/**
 * Relations that sentences state: for each verb of the table in `verbs.ts`, who stands before it and what behind. A
 * sentence without a subject speaks of its section's subject, see `subjects.ts`.
 */
import type { EdgeType, NodeKey } from '../../core/graph-model.ts';
import { conceptKey, foldConcept } from '../../core/identity.ts';
import { lineAt, type RichText } from '../markdown/rich-text.ts';
import {
  type Clause,
  isNegated,
  isPossible,
  makeClause,
  readObjects,
  readSubject,
  type Subject,
} from './clause.ts';
import { ownersInName } from './event-names.ts';
import type { FactCollector } from './facts.ts';
import { isTelling } from './names.ts';
import type { Ref } from './refs.ts';
import type { Sentence } from './sentences.ts';
import { type VerbPlace, type VerbRule, verbAt } from './verbs.ts';

/** Whom a sentence speaks of where it does not say. */
export interface Speaker {
  readonly endpoint: NodeKey | undefined;
  readonly object: NodeKey | undefined;
  readonly event: NodeKey | undefined;
  /** Whether the object comes first: in a list of relationships, or a row about it. */
  readonly objectFirst: boolean;
  /** Whether the section lists relationships, so that bold words in it are things. */
  readonly relates: boolean;
  /** Whether the endpoint changes something, so that it can trigger events. */
  readonly changes: boolean;
}

/** Longer sentences are lists and data that lost their punctuation. */
const MAX_SENTENCE = 2_000;

const IMPLIED = 0.9;
const GUESSED = 0.6;
const PLAIN = 0.7;
const POSSIBLE = 0.8;

interface End {
  readonly key: NodeKey;
  readonly factor: number;
  readonly ref: Ref | undefined;
}

/** A verb whose objects are the items of the list that follows: `Emits the following events:`. */
export interface OpenStatement {
  readonly rule: VerbRule;
  readonly subject: readonly End[];
  readonly evidence: string;
}

/**
 * States every relation of a sentence.
 * @returns what the sentence leaves for a list to complete
 */
export function stateRelations(
  sentence: Sentence,
  refs: readonly Ref[],
  speaker: Speaker,
  facts: FactCollector,
): OpenStatement | undefined {
  if (sentence.text.length > MAX_SENTENCE) return undefined;
  const clause = makeClause(sentence, refs);
  let previous: Reading | undefined;
  let unread: VerbPlace | undefined;
  for (let index = 0; index < clause.words.length; index += 1) {
    const verb = verbAt(clause.words, index);
    if (verb === undefined || verb.start < (previous?.end ?? 0)) continue;
    if (refs.some(({ start, end, marked }) => marked && start <= verb.start && verb.start < end)) continue;
    const reading = readVerb(clause, verb, previous, speaker);
    if (reading === undefined) {
      unread = verb;
      continue;
    }
    previous = reading;
    unread = undefined;
    emit(reading, clause, sentence, speaker, facts);
  }
  return unread === undefined || !/:\s*$/.test(sentence.text)
    ? undefined
    : openStatement(clause, unread, speaker);
}

function openStatement(clause: Clause, verb: VerbPlace, speaker: Speaker): OpenStatement | undefined {
  const ofEvents = /\bevents?\b/i.test(clause.text.slice(verb.end));
  const rule =
    verb.rules.find(({ voice, means }) => voice === 'active' && (means === 'event') === ofEvents) ??
    verb.rules.find(({ voice }) => voice === 'active');
  if (rule === undefined || isNegated(clause, verb.start)) return undefined;
  const subject = resolve(readSubject(clause, 0, verb.start), rule.edge, [], speaker);
  return subject.length === 0 ? undefined : { rule, subject, evidence: clause.text };
}

/** States what a list item adds to the sentence that opened its list. */
export function completeStatement(
  open: OpenStatement,
  item: Sentence,
  refs: readonly Ref[],
  speaker: Speaker,
  facts: FactCollector,
): void {
  const clause = makeClause(item, refs);
  const { refs: objects } = readObjects(clause, 0, open.rule.means);
  const marked = objects.filter((ref) => ref.marked || ref.declares);
  if (marked.length === 0) return;
  const { rule, subject } = open;
  const reading = { rule, subject, objects: marked.map(endOf), verbStart: 0, end: 0 };
  emit(reading, clause, { ...item, text: `${open.evidence.trim()} ${item.text}` }, speaker, facts);
}

interface Reading {
  readonly rule: VerbRule;
  readonly verbStart: number;
  readonly subject: readonly End[];
  readonly objects: readonly End[];
  /** Where the list of objects ends. */
  readonly end: number;
}

function readVerb(
  clause: Clause,
  verb: VerbPlace,
  previous: Reading | undefined,
  speaker: Speaker,
): Reading | undefined {
  if (isNegated(clause, verb.start)) return undefined;
  for (const rule of verb.rules) {
    const reading =
      rule.voice === 'placing'
        ? readPlacing(clause, verb, rule)
        : readSides(clause, verb, rule, previous, speaker);
    if (reading !== undefined) return reading;
  }
  return undefined;
}

/** `creates a Thread under the Channel`. */
function readPlacing(clause: Clause, verb: VerbPlace, rule: VerbRule): Reading | undefined {
  const placed = readObjects(clause, verb.end, 'thing');
  const last = placed.refs.at(-1);
  if (last === undefined) return undefined;
  const behind = clause.text.slice(last.end, last.end + 40);
  const joined = new RegExp(
    `^(?:\\s+(?:objects?|resources?))?\\s+(?:${rule.joined})\\s+(?:its\\s+|their\\s+)?`,
    'i',
  ).exec(behind);
  if (joined === null) return undefined;
  const parent = readObjects(clause, last.end + joined[0].length, 'thing');
  const [target] = parent.refs;
  if (target === undefined) return undefined;
  return {
    rule,
    verbStart: verb.start,
    subject: placed.refs.map(endOf),
    objects: [endOf(target)],
    end: verb.end,
  };
}

function readSides(
  clause: Clause,
  verb: VerbPlace,
  rule: VerbRule,
  previous: Reading | undefined,
  speaker: Speaker,
): Reading | undefined {
  if (rule.voice === 'relative' && !/\b(?:that|which|who)\s+$/i.test(clause.text.slice(0, verb.start)))
    return undefined;
  const isReport = rule.means === 'event' && rule.voice === 'active';
  const objects = readObjects(
    clause,
    verb.end,
    rule.voice === 'passive' && rule.edge === 'triggers' ? 'thing' : rule.means,
  );
  const subject = subjectOf(clause, verb, previous, rule);
  if (objects.refs.length === 0) return isReport ? readHappening(verb, rule, subject, speaker) : undefined;
  const ends =
    rule.voice === 'passive'
      ? resolvePassive(subject, rule.edge, speaker)
      : resolve(subject, rule.edge, objects.refs, speaker);
  if (ends.length === 0) return undefined;
  return { rule, verbStart: verb.start, subject: ends, objects: objects.refs.map(endOf), end: objects.end };
}

/** `a Channel Update event will fire`: the event is the subject, and who triggers it is understood. */
function readHappening(
  verb: VerbPlace,
  rule: VerbRule,
  subject: Subject | readonly End[],
  speaker: Speaker,
): Reading | undefined {
  if (Array.isArray(subject) || !('kind' in subject) || subject.kind !== 'named') return undefined;
  const events = subject.refs.filter(({ type }) => type === 'Event');
  const source = speaker.endpoint ?? speaker.object;
  if (events.length === 0 || source === undefined) return undefined;
  return {
    rule,
    verbStart: verb.start,
    subject: [{ key: source, factor: PLAIN, ref: undefined }],
    objects: events.map(endOf),
    end: verb.end,
  };
}

const CHAIN =
  /^[\s,)]*(?:(?:and|or|but|then|also|which|that|it|can|may|will|automatically|optionally|immediately|subsequently|\w+ly)[\s,]*)*$/i;

/** The subject, or that of the verb before where the two are joined: `belongs to a Customer and generates Invoices`. */
function subjectOf(
  clause: Clause,
  verb: VerbPlace,
  previous: Reading | undefined,
  rule: VerbRule,
): Subject | readonly End[] {
  if (rule.voice === 'relative') return nearestBefore(clause, verb.start);
  if (previous === undefined) return readSubject(clause, 0, verb.start);
  const between = clause.text.slice(previous.end, verb.start);
  if (/^\s*(?:\w+\s+)?(?:that|which|who)\s+(?:\w+ly\s+)?$/i.test(between)) {
    return nearestBefore(clause, verb.start);
  }
  if (CHAIN.test(between) || /ing$/.test(clause.words[verb.word]?.text ?? '')) return previous.subject;
  return readSubject(clause, previous.end, verb.start);
}

/** The name that "that" or "which" stands for. */
function nearestBefore({ refs }: Clause, at: number): Subject {
  const nearest = refs.filter(({ end }) => end <= at).at(-1);
  return nearest === undefined ? { kind: 'unknown' } : { kind: 'named', refs: [nearest], around: [nearest] };
}

/** The subject as ends of edges; who is meant where the sentence does not say depends on the relation. */
function resolve(
  subject: Subject | readonly End[],
  edge: EdgeType,
  objects: readonly Ref[],
  speaker: Speaker,
): readonly End[] {
  if (!('kind' in subject)) return subject;
  if (subject.kind === 'endpoint') return implied(speaker.endpoint ?? speaker.object, IMPLIED);
  if (subject.kind === 'named') {
    if (edge === 'returns') return subject.refs.filter(({ type }) => type === 'Endpoint').map(endOf);
    const owners = edge === 'triggers' ? ownersAmong(subject.around, objects) : [];
    const able = subject.refs.filter(({ type }) => type !== 'Event' || edge === 'references');
    return (owners.length > 0 ? owners : able).map(endOf);
  }
  if (subject.kind === 'phrase') {
    const own = edge === 'triggers' ? ownedBySpeaker(objects, speaker) : [];
    return [endOf(subject.ref), ...own];
  }
  if (subject.kind === 'unknown') {
    if (edge === 'triggers') return ownedBySpeaker(objects, speaker);
    return edge === 'references' && speaker.objectFirst ? implied(speaker.object, GUESSED) : [];
  }
  return speakerFor(edge, speaker);
}

/** What the verb happens to, where it stands before the verb. */
function resolvePassive(subject: Subject | readonly End[], edge: EdgeType, speaker: Speaker): readonly End[] {
  if (!('kind' in subject)) return subject;
  if (subject.kind === 'named') return subject.refs.map(endOf);
  if (subject.kind === 'phrase') return [endOf(subject.ref)];
  if (subject.kind !== 'implied') return [];
  return implied(edge === 'triggers' ? speaker.event : (speaker.object ?? speaker.event), IMPLIED);
}

function speakerFor(edge: EdgeType, { endpoint, object, event, objectFirst, changes }: Speaker): End[] {
  if (event !== undefined) return edge === 'references' || edge === 'requires' ? implied(event, IMPLIED) : [];
  if (edge === 'returns') return implied(endpoint, IMPLIED);
  if (edge === 'belongs_to' || edge === 'generates') return implied(object, IMPLIED);
  if (!objectFirst) return implied(endpoint ?? object, IMPLIED);
  const own = implied(object ?? endpoint, IMPLIED);
  const also = edge === 'triggers' && changes && object !== undefined ? implied(endpoint, PLAIN) : [];
  return [...own, ...also];
}

function implied(key: NodeKey | undefined, factor: number): End[] {
  return key === undefined ? [] : [{ key, factor, ref: undefined }];
}

/** Of several possible subjects, those that the events' names name: `invoice.paid` is the Invoice's. */
function ownersAmong(refs: readonly Ref[], events: readonly Ref[]): Ref[] {
  const owners = new Set(events.flatMap(({ label }) => ownersInName(label).map(foldConcept)));
  return refs.filter(({ label }) => owners.has(foldConcept(label)));
}

/** The section's subject, where nothing named triggers the events. */
function ownedBySpeaker(events: readonly Ref[], { endpoint, object, objectFirst }: Speaker): End[] {
  if (!events.some(({ type }) => type === 'Event')) return [];
  return implied(objectFirst ? (object ?? endpoint) : (endpoint ?? object), GUESSED);
}

function endOf(ref: Ref): End {
  return { key: ref.key, factor: ref.marked ? 1 : PLAIN, ref };
}

function emit(
  { rule, subject, objects, verbStart }: Reading,
  clause: Clause,
  sentence: Sentence,
  speaker: Speaker,
  facts: FactCollector,
): void {
  const swapped = rule.voice === 'passive';
  const sources = swapped ? objects : subject;
  const targets = swapped ? subject : objects;
  const certainty = rule.confidence * (isPossible(clause, verbStart) ? POSSIBLE : 1);
  const line = lineAt(sentence, verbStart);
  for (const source of sources) {
    for (const target of targets) {
      if (!makesSense(rule.edge, source, target)) continue;
      facts.state(
        source.key,
        rule.edge,
        target.key,
        line,
        certainty * source.factor * target.factor,
        sentence.text,
      );
      if (rule.edge !== 'references' && (speaker.relates || isBoth(source, target)))
        declare([source, target], line, facts);
    }
  }
}

/** Whether both ends are set off by markup: `A **Charge** requires a **Customer**`. */
function isBoth(source: End, target: End): boolean {
  return source.ref?.marked === true && target.ref?.marked === true;
}

/** Relations that the kinds of their ends rule out. */
function makesSense(edge: EdgeType, source: End, target: End): boolean {
  const from = source.key;
  if (edge === 'triggers') return !from.startsWith('event:') || target.key.startsWith('event:');
  if (edge === 'generates') return !from.startsWith('endpoint:') && !target.key.startsWith('event:');
  if (edge === 'returns') return !target.key.startsWith('event:') && !target.key.startsWith('endpoint:');
  if (edge === 'belongs_to')
    return !from.startsWith('endpoint:') && !from.startsWith('event:') && !target.key.startsWith('endpoint:');
  return true;
}

/** A name in bold that takes part in a stated relation is a thing of the domain. */
function declare(ends: readonly End[], line: number, facts: FactCollector): void {
  for (const { ref } of ends) {
    if (ref?.marked !== true || ref.declares || ref.confidence < 0.4 || !isTelling(ref.label)) continue;
    facts.mention({ key: ref.key, type: ref.type, label: ref.label, line, confidence: 0.55, declares: true });
  }
}

/**
 * Who triggers an event that a table or list describes: the thing in its name that the description speaks of, else
 * every thing in its name.
 */
export function ownersOf(event: string, description: RichText, refs: readonly Ref[]): NodeKey[] {
  const owners = ownersInName(event);
  const named = owners.filter((owner) => refs.some((ref) => foldConcept(ref.label) === foldConcept(owner)));
  if (named[0] !== undefined) return [conceptKey(named[0])];
  const [first] = refs.filter(({ type, marked }) => marked && (type === 'APIObject' || type === 'Concept'));
  if (owners.length === 0) return first === undefined || description.text === '' ? [] : [first.key];
  return owners.map(conceptKey);
}

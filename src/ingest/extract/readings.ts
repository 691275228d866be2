/** Turns a verb that was read into facts: which ends make sense, how certain that is, and what it says of the ends themselves. */
import type { EdgeType } from '../../core/graph-model.ts';
import { lineAt } from '../markdown/rich-text.ts';
import { type Clause, isPossible } from './clause.ts';
import type { FactCollector } from './facts.ts';
import { isCapitalised, isTelling } from './names.ts';
import { BOLD, type Ref } from './refs.ts';
import type { Sentence } from './sentences.ts';
import type { End, Speaker } from './speaker.ts';
import type { HeadingObject } from './subjects.ts';
import { isThing } from './title.ts';
import type { VerbRule } from './verbs.ts';

/** The factor by which "can" and "may" reduce confidence. */
const POSSIBLE = 0.8;

/** A verb with its subjects and objects. */
export interface Reading {
  readonly rule: VerbRule;
  readonly verbStart: number;
  readonly subject: readonly End[];
  readonly objects: readonly End[];
  /** The end of the list of objects. */
  readonly end: number;
}

/** States what a verb says between its subjects and objects. */
export function stateReading(
  { rule, subject, objects, verbStart }: Reading,
  clause: Clause,
  sentence: Sentence,
  speaker: Speaker,
  facts: FactCollector,
): void {
  const [sources, targets] = rule.voice === 'passive' ? [objects, subject] : [subject, objects];
  const certainty = rule.confidence * (isPossible(clause, verbStart) ? POSSIBLE : 1);
  const line = lineAt(sentence, verbStart);
  const workTogether =
    WORKING.has(rule.code) || /^(?:uses?|used by)\b/i.test(clause.text.slice(verbStart, verbStart + 8));
  const areParts = BETWEEN_PARTS.has(rule.code) || USES.test(clause.text.slice(verbStart, verbStart + 12));
  for (const source of sources) {
    for (const target of targets) {
      if (!makesSense(rule.edge, source, target) || isClause(rule, target, clause)) continue;
      const confidence = certainty * source.factor * target.factor;
      const code = confidence < rule.confidence ? `${rule.code}?` : rule.code;
      facts.state({
        source: source.key,
        type: rule.edge,
        target: target.key,
        line,
        rule: code,
        confidence,
        evidence: sentence.text,
      });
      if (areParts) declareParts(source, target, line, facts);
      if (areParts && speaker.isProse) {
        mentionUsed([source, target], workTogether, clause, line, facts);
        const { item } = speaker;
        if ((item?.key === source.key || item?.key === target.key) && isTold(clause, verbStart))
          mentionItem(item, facts);
      }
      if (rule.edge === 'references') continue;
      if (speaker.relates || (isSetOff(source, speaker) && isSetOff(target, speaker)))
        declareBold([source, target], rule.edge, line, speaker, facts);
      if (rule.edge === 'returns') declareReturned(target, speaker, line, facts);
    }
  }
}

/** Rules by which one part of a system works with another, and whose ends are always parts. */
const BETWEEN_PARTS: ReadonlySet<string> = new Set(
  'passes-to passes-from keeps-in kept-in works-with rests-on requires required owns collects generates generated-by'.split(
    ' ',
  ),
);

/** Those rules whose ends are both things of their own, so that neither makes or consists of the other. */
const WORKING: ReadonlySet<string> = new Set(
  [...BETWEEN_PARTS].filter((code) => !/^(?:owns|collects|generates|generated-by)$/.test(code)),
);

/** Evidence of other references that says the same: `uses the row store`. */
const USES = /^(?:uses?|calls?|includes?|contains?|used by|called by)\b/i;

/** Declares an end that works with a part of a system, if the document often mentions it or sets it off. */
function declareParts(source: End, target: End, line: number, facts: FactCollector): void {
  if (!isFounded(source, target, facts) || !isFounded(target, source, facts)) return;
  for (const { ref } of [source, target]) {
    if (ref === undefined || (ref.part !== 'used' && !ref.marked)) continue;
    const { key, type, label } = ref;
    facts.mention({ key, type, label, line, confidence: 0.5, declares: true });
  }
}

/** Whether a verb tells what a thing does or what is done with it: `Uses the store`, and not `Use the store`, which tells the reader what to do. */
function isTold({ text }: Clause, verbStart: number): boolean {
  return /^\p{L}*(?:[^\P{L}s]s|[^\P{L}e]ed)\b/u.test(text.slice(verbStart, verbStart + 30));
}

/** Mentions the name that an item consists of, of which an item within it says that it works with something. */
function mentionItem(item: HeadingObject, facts: FactCollector): void {
  if (facts.isDeclared(item.key)) return;
  facts.mention({ ...item, type: 'Concept', declares: false, half: 'used' });
}

/** Mentions things that work with something. They exist if a heading of this or another document has their name. */
function mentionUsed(
  ends: readonly End[],
  workTogether: boolean,
  clause: Clause,
  line: number,
  facts: FactCollector,
): void {
  for (const { key, ref } of ends) {
    if (ref === undefined || ref.declares || facts.isDeclared(key) || !mayBeNamed(ref, workTogether, clause))
      continue;
    const { type, label } = ref;
    facts.mention({ key, type, label, line, confidence: 0.4, declares: false, half: 'used' });
  }
}

/**
 * Whether words may be the name of one thing. A single lower-case word mostly means any of a kind (`the database`); so does what something
 * includes or makes without an article.
 */
function mayBeNamed({ type, label, start }: Ref, workTogether: boolean, { text }: Clause): boolean {
  if (type !== 'Concept' || label.split(' ').length > 3 || !isTelling(label)) return false;
  if (workTogether) return label.includes(' ') || isCapitalised(label);
  return (
    label.includes(' ') && /\b(?:an?|the|each|every)\s+$/i.test(text.slice(Math.max(0, start - 8), start))
  );
}

/** Whether an end is a part, or is set off as a name beside a part. */
function isFounded({ key, ref }: End, { ref: other }: End, facts: FactCollector): boolean {
  if (ref?.part === 'defined' || ref?.part === 'used' || facts.isDeclared(key)) return true;
  const isBesidePart = other?.part === 'defined' || other?.part === 'used';
  if (!isBesidePart || ref?.marked !== true || ref.type !== 'Concept') return false;
  return (
    isTelling(ref.label) && isThing(ref.label) && !ref.label.includes('/') && ref.label.split(' ').length <= 3
  );
}

/** Whether an end is set off by markup, or is the object of the section. */
function isSetOff({ key, ref }: End, { object }: Speaker): boolean {
  return ref === undefined ? key === object : ref.marked;
}

/** Whether a clause is required, and not the name: `requires the user to be authenticated`. */
function isClause({ edge, voice }: VerbRule, { ref }: End, { text }: Clause): boolean {
  return (
    edge === 'requires' &&
    voice === 'active' &&
    ref !== undefined &&
    /^\s+(?:object\s+)?to\s/.test(text.slice(ref.end, ref.end + 12))
  );
}

/** Words for events in general, if a sentence does not say which one. */
const ANY_EVENT = /^concept:(?:event|webhook|notification|message|request|call)$/;

/** Whether the kinds of the ends allow the relation. */
function makesSense(edge: EdgeType, { key: source }: End, { key: target, ref }: End): boolean {
  const fromEndpoint = source.startsWith('endpoint:');
  const fromEvent = source.startsWith('event:');
  switch (edge) {
    case 'triggers':
      if (ANY_EVENT.test(target) && ref?.marked !== true) return fromEvent && target === 'concept:webhook';
      return !fromEvent || target.startsWith('event:') || target === 'concept:webhook';
    case 'generates':
      return (
        !/^endpoint:(?:GET|HEAD|DELETE|QUERY|SUBSCRIPTION) /.test(source) &&
        !target.startsWith('event:') &&
        !target.startsWith('endpoint:')
      );
    case 'returns':
      return (
        !target.startsWith('event:') &&
        !target.startsWith('endpoint:') &&
        fromEndpoint &&
        !source.startsWith('endpoint:HEAD ')
      );
    case 'belongs_to':
      return !fromEndpoint && !fromEvent && !target.startsWith('endpoint:');
    default:
      return true;
  }
}

/**
 * Declares a name in bold that takes part in a stated relation as a thing of the domain. If both ends are set off and
 * written as names, that includes words that mean little elsewhere, such as User.
 */
function declareBold(
  ends: readonly End[],
  edge: EdgeType,
  line: number,
  { heading }: Speaker,
  facts: FactCollector,
): void {
  const areObjects = OF_OBJECTS.has(edge) && ends.every(isNamedObject);
  for (const { key: end, ref } of ends) {
    if (areObjects && ref === undefined && heading?.key === end && !heading.declares)
      facts.mention({ ...heading, type: 'APIObject', declares: true });
    if (ref?.marked !== true || ref.declares) continue;
    const { key, label } = ref;
    if (areObjects) facts.mention({ key, type: 'APIObject', label, line, confidence: 0.6, declares: true });
    else if (ref.confidence >= BOLD && isTelling(label)) {
      facts.mention({ key, type: ref.type, label, line, confidence: 0.55, declares: true });
    }
  }
}

/** Relations that hold between objects. */
const OF_OBJECTS: ReadonlySet<EdgeType> = new Set(['belongs_to', 'requires', 'generates']);

/** Whether an end is a thing in bold, or in code and camel case, that is written like a name. */
function isNamedObject({ ref }: End): boolean {
  if (ref === undefined) return true;
  if (!ref.marked || (ref.type !== 'APIObject' && ref.type !== 'Concept')) return false;
  return isCapitalised(ref.label) && (ref.confidence >= BOLD || ref.type === 'APIObject');
}

/**
 * Declares what an operation returns as an object, if it is in bold, or the heading names it too: `## Get a line`
 * above "returns the line".
 */
function declareReturned({ key, ref }: End, { heading }: Speaker, line: number, facts: FactCollector): void {
  if (ref?.marked === true && !ref.declares && ref.confidence >= BOLD && isCapitalised(ref.label)) {
    facts.mention({ key, type: 'APIObject', label: ref.label, line, confidence: 0.6, declares: true });
  }
  if (heading?.key !== key || heading.declares) return;
  facts.mention({ ...heading, type: 'APIObject', confidence: 0.6, declares: true });
}

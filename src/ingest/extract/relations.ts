import { lineAt } from '../markdown/rich-text.ts';
import { readBetween } from './between.ts';
import { type Clause, isInfinitive, isNegated, makeClause, type Subject } from './clause.ts';
import { readObjects } from './clause-objects.ts';
import { readSubject } from './clause-subject.ts';
import { roleAt } from './event-roles.ts';
import { leadsToEvents } from './event-titles.ts';
import type { FactCollector } from './facts.ts';
import { isCapitalised } from './names.ts';
import { completeStatement, type OpenStatement, openRole } from './open-statements.ts';
import { isOfAnotherHead } from './other-head.ts';
import { readPassing } from './passing.ts';
import { type Reading, stateReading } from './readings.ts';
import type { Ref } from './refs.ts';
import { isOfEvent, resolve, resolvePassive } from './resolved-ends.ts';
import { hasNoMembers, isOfSome, requiresNoThing } from './restrictive.ts';
import type { Sentence } from './sentences.ts';
import { causingEnds, type End, endOf, type Speaker, withList } from './speaker.ts';
import { canBeDone, isNoun } from './verb-forms.ts';
import { type VerbPlace, verbAt } from './verb-phrases.ts';
import { subjectOf } from './verb-subject.ts';
import type { VerbRule } from './verbs.ts';

/** Longer sentences are lists and data that have lost their punctuation. */
const MAX_SENTENCE_LENGTH = 2_000;

/**
 * States all relations of a sentence.
 * @returns what a following list completes
 */
export function stateRelations(
  sentence: Sentence,
  refs: readonly Ref[],
  speaker: Speaker,
  facts: FactCollector,
): OpenStatement | undefined {
  if (sentence.text.length > MAX_SENTENCE_LENGTH) return undefined;
  const role = roleAt(sentence);
  const open = role === undefined ? undefined : openRole(role.label, speaker, facts);
  if (role !== undefined && open !== undefined) {
    if (role.end === sentence.text.length) return open;
    completeStatement(open, sentence, refs, speaker, facts, role.end);
    return undefined;
  }
  const clause = makeClause(sentence, refs);
  stateKinds(clause, sentence, facts);
  for (const reading of readBetween(clause)) stateReading(reading, clause, sentence, speaker, facts);
  let previous: Reading | undefined;
  let unread: VerbPlace | undefined;
  for (let index = 0; index < clause.words.length; index += 1) {
    const verb = verbAt(clause.words, index);
    if (verb === undefined || verb.start < (previous?.end ?? 0)) continue;
    if (refs.some(({ start, end, marked }) => marked && start <= verb.start && verb.start < end)) continue;
    const reading = readVerb(clause, verb, previous, speaker);
    if (reading === undefined) {
      if (verb.rules.some(({ voice }) => voice !== 'passing')) unread = verb;
      continue;
    }
    previous = reading;
    unread = undefined;
    stateReading(reading, clause, sentence, speaker, facts);
  }
  if (unread === undefined || !/:\s*$/.test(sentence.text)) return undefined;
  return openStatement(clause, unread, speaker);
}

/** States the kind of an event: `the charge.failed **Webhook** event`. */
function stateKinds({ text, refs }: Clause, sentence: Sentence, facts: FactCollector): void {
  refs.forEach((event, index) => {
    if (event.type !== 'Event') return;
    const [before, after] = [refs[index - 1], refs[index + 1]];
    const isBehind =
      after?.marked === true &&
      /^\s+$/.test(text.slice(event.end, after.start)) &&
      /^\s+events?\b/i.test(text.slice(after.end, after.end + 8));
    const isBefore =
      before?.marked === true && /^\s+events?[\s,:(]+$/i.test(text.slice(before.end, event.start));
    const kind = isBehind ? after : isBefore ? before : undefined;
    if (kind === undefined || kind.type === 'Event' || kind.type === 'Endpoint') return;
    facts.state({
      source: event.key,
      type: 'references',
      target: kind.key,
      line: lineAt(sentence, event.start),
      rule: 'kind-of-event',
      confidence: 0.6,
      evidence: text,
    });
  });
}

function openStatement(clause: Clause, verb: VerbPlace, speaker: Speaker): OpenStatement | undefined {
  const ofEvents = /\bevents?\b/i.test(clause.text.slice(verb.end));
  const active = verb.rules.filter(({ voice }) => voice === 'active');
  const rule = active.find(({ means }) => (means === 'event') === ofEvents) ?? active[0];
  if (rule === undefined || isNegated(clause, verb.start) || isNoun(clause, verb)) return undefined;
  if (/^\s*(?:no|none|neither|nothing)\b/i.test(clause.text.slice(verb.end, verb.end + 12))) return undefined;
  const read = readSubject(clause, 0, verb.word);
  if (!ofEvents && (isInfinitive(clause, verb.start) || isMisread(clause, verb, rule, read, [])))
    return undefined;
  return { rule, subject: resolve(read, rule.edge, [], speaker), evidence: clause.text };
}

function readVerb(
  clause: Clause,
  verb: VerbPlace,
  previous: Reading | undefined,
  speaker: Speaker,
): Reading | undefined {
  if (isNegated(clause, verb.start) || isInfinitive(clause, verb.start) || isNoun(clause, verb))
    return undefined;
  let placed: Reading | undefined;
  for (const rule of verb.rules) {
    if (placed !== undefined && rule.code !== KEEPS_IN) continue;
    const reading =
      rule.voice === 'placing'
        ? readPlacing(clause, verb, rule)
        : rule.voice === 'passing'
          ? readPassing(clause, verb, rule, previous, speaker)
          : readSides(clause, verb, rule, previous, speaker);
    if (reading !== undefined && (rule.voice !== 'placing' || placesName(reading))) return reading;
    placed ??= reading;
  }
  return placed;
}

/** The rules for what is put somewhere, or together. Behind "that", this is said of the noun before it, and not of the subject of the sentence. */
const OF_WHAT_IS_PUT: ReadonlySet<string> = new Set(['kept-in', 'added', 'collects']);

/** Rules that say of events who triggers them. Of anything else another rule says who generates what is produced, and who has to do with what is sent. */
const OF_EVENTS_ALONE: ReadonlySet<string> = new Set(['produced', 'sent']);

/** The rule for what keeps something in a place. What it keeps is seldom a thing of its own. */
const KEEPS_IN = 'keeps-in';

/** Whether the thing that is kept has a name: `stores Charges in the ledger`. `stores all rows in the ledger` rather tells who does that. */
function placesName({ subject }: Reading): boolean {
  return subject.some(
    ({ ref }) => ref !== undefined && (ref.marked || ref.part !== undefined || isCapitalised(ref.label)),
  );
}

/** Reads `creates a Thread under the Channel`. */
function readPlacing(clause: Clause, verb: VerbPlace, rule: VerbRule): Reading | undefined {
  const placed = readObjects(clause, verb.end, 'thing');
  const last = placed.refs.at(-1);
  if (last === undefined || rule.joined === undefined) return undefined;
  const joined = rule.joined.exec(clause.text.slice(last.end, last.end + 40));
  if (joined === null) return undefined;
  const joint = last.end + joined[0].length;
  const [parent] = readObjects(clause, joint, 'thing').refs;
  if (parent === undefined || isSetting(parent, joint, joined[0])) return undefined;
  return {
    rule,
    verbStart: verb.start,
    subject: placed.refs.map(endOf),
    objects: [endOf(parent)],
    end: verb.end,
  };
}

/**
 * Whether a name is the place where one works, and not what the thing belongs to: a proper name without an article (`Create a user in Acme`) or a program
 * (`in the Page Builder`, `in the ERP`).
 */
function isSetting({ marked, start, label }: Ref, joint: number, preposition: string): boolean {
  if (!/^\s+(?:in|inside|within)\s+$/i.test(preposition)) return false;
  return PROGRAM.test(label) || SYSTEM.test(label) || (!marked && start === joint && isCapitalised(label));
}

/** What is called by its initials is mostly a system: `creates an Order in the ERP`. */
const SYSTEM = /^[A-Z]{2,5}$/;

const PROGRAM = /(?:^|\s)(?:builder|console|dashboard|designer|editor|portal|wizard|UI)$/i;

function readSides(
  clause: Clause,
  verb: VerbPlace,
  rule: VerbRule,
  previous: Reading | undefined,
  speaker: Speaker,
): Reading | undefined {
  if (rule.voice === 'relative' && !/\b(?:that|which|who)\s+$/i.test(clause.text.slice(0, verb.start))) {
    return undefined;
  }
  const isPassive = rule.voice === 'passive';
  const isOfEvents = rule.means === 'event' && !isPassive;
  // Most sentences end here, so slower checks come later.
  if ((isOfEvents || rule.code === 'produced') && !clause.hasEvents) return undefined;
  const means = isPassive && rule.edge === 'triggers' ? 'thing' : rule.means;
  const read = readObjects(clause, verb.end, means);
  const objects = { ...read, refs: read.refs.map((ref) => withList(ref, clause.text, speaker)) };
  if (objects.refs.length === 0 && !isOfEvents) return undefined;
  if (namesList(clause, verb.end, objects.refs)) return undefined;
  const subject = subjectOf(clause, verb, previous, rule);
  if (OF_EVENTS_ALONE.has(rule.code) && !isOfEvent(clause, verb, subject, speaker)) return undefined;
  if (
    isInstruction(clause, verb, rule, subject, speaker) ||
    isMisread(clause, verb, rule, subject, objects.refs)
  )
    return undefined;
  if (objects.refs.length === 0) return readHappening(verb, rule, subject, speaker);
  const ends = isPassive
    ? resolvePassive(subject, rule.edge, speaker)
    : resolve(subject, rule.edge, objects.refs, speaker);
  if (ends.length === 0) return undefined;
  // It is read even if nothing is stated, so that the next verb has its subject.
  const isSaid = rule.edge !== 'requires' || rule.voice !== 'active' || !isOfSome(clause, verb);
  const stated = isSaid ? objects.refs.map(endOf) : [];
  return { rule, verbStart: verb.start, subject: ends, objects: stated, end: objects.end };
}

/** Whether the objects of a verb are only the words that introduce a list: `triggers the following webhook events:`. */
function namesList({ text }: Clause, from: number, [first, ...others]: readonly Ref[]): boolean {
  if (first === undefined || first.marked || others.length > 0) return false;
  return leadsToEvents(text.slice(from)) && !leadsToEvents(text.slice(first.end));
}

/** The rule for what parts of a system do with each other. Readers do it as well: "connect to the gateway". */
const WORKS_WITH = 'works-with';

/** Whether the form of the verb shows that its subject does not do it. Rules of references are looser, and events are clear by themselves. */
function isMisread(
  clause: Clause,
  verb: VerbPlace,
  { code, edge, voice }: VerbRule,
  subject: Subject | readonly End[],
  objects: readonly Ref[],
): boolean {
  if (edge === 'requires' && requiresNoThing(clause, verb, objects)) return true;
  if ((code === 'added' || code === 'collects') && hasNoMembers(clause, verb, objects)) return true;
  if (!('kind' in subject) || voice === 'relative') return false;
  if (code === WORKS_WITH && subject.kind === 'unknown') return true;
  if (OF_WHAT_IS_PUT.has(code) && /\b(?:that|which)\s+$/i.test(clause.text.slice(0, verb.start))) return true;
  if (edge !== 'references' && edge !== 'triggers' && isOfAnotherHead(clause, verb, subject)) return true;
  const isLoose = edge === 'references' && code !== WORKS_WITH;
  if (isLoose && !(subject.kind === 'named' && subject.refs.some(({ part }) => part !== undefined)))
    return false;
  return !objects.some(({ type }) => type === 'Event') && !canBeDone(clause, verb, subject);
}

/** Whether a sentence tells the reader what to do, which says nothing of the section's subject: `Create a Plan`, `before creating invoices`, `require that …`. */
function isInstruction(
  { text, words }: Clause,
  { word, end }: VerbPlace,
  { code, edge, voice }: VerbRule,
  subject: Subject | readonly End[],
  { endpoints, object, event, topic }: Speaker,
): boolean {
  if (!('kind' in subject) || subject.kind !== 'implied' || !subject.isSilent) return false;
  if (voice !== 'active' || /[^s]s$/.test(words[word]?.text ?? '')) return false;
  return (
    edge === 'generates' ||
    edge === 'triggers' ||
    code === WORKS_WITH ||
    (topic !== undefined && object === undefined && event === undefined && endpoints.length === 0) ||
    /^\s+that\b/i.test(text.slice(end, end + 8))
  );
}

/** Reads `a Channel Update event will fire`: the event is the subject, and what triggers it is understood. */
function readHappening(
  verb: VerbPlace,
  rule: VerbRule,
  subject: Subject | readonly End[],
  speaker: Speaker,
): Reading | undefined {
  if (!('kind' in subject) || subject.kind !== 'named') return undefined;
  const events = subject.refs.filter(({ type }) => type === 'Event');
  const causes = causingEnds(speaker);
  if (events.length === 0 || causes.length === 0) return undefined;
  return { rule, verbStart: verb.start, subject: causes, objects: events.map(endOf), end: verb.end };
}

/** Whose verb it is, among several verbs of one sentence. */
import type { Clause, Subject } from './clause.ts';
import { readSubject } from './clause-subject.ts';
import { OBJECT_NOUN } from './names.ts';
import type { Reading } from './readings.ts';
import { opensCell } from './restrictive.ts';
import type { End } from './speaker.ts';
import { isAsked, isListed, isReader } from './verb-forms.ts';
import type { VerbPlace } from './verb-phrases.ts';
import type { VerbRule } from './verbs.ts';

const CHAIN =
  /^[\s,)]*(?:(?:and|or|but|then|also|which|that|it|can|may|will|automatically|optionally|immediately|subsequently|\w+ly)[\s,]*)*$/i;

/** The subject, or that of the verb before where both are joined: `belongs to a Customer and generates Invoices`. */
export function subjectOf(
  clause: Clause,
  verb: VerbPlace,
  previous: Reading | undefined,
  rule: VerbRule,
): Subject | readonly End[] {
  if (rule.voice === 'relative') return meantByThat(clause, verb.start);
  if (rule.voice === 'receiving' || isReader(clause, verb) || isAsked(clause, verb) || isListed(clause, verb))
    return { kind: 'unknown' };
  if (opensCell(clause, verb)) return { kind: 'unknown' };
  const apart =
    inBrackets(clause, verb, previous?.end ?? 0) ??
    ofRelative(clause, verb, rule) ??
    ofParticiple(clause, verb);
  if (apart !== undefined) return apart;
  if (previous === undefined) return firstSubject(clause, verb);
  const between = clause.text.slice(previous.end, verb.start);
  if (/^\s*(?:\w+\s+)?(?:that|which|who)\s+(?:\w+ly\s+)?$/i.test(between))
    return nearestBefore(clause, verb.start);
  const form = clause.words[verb.word]?.text ?? '';
  // `has an Invoice created by a Subscription`; what represents a thing is that thing.
  if (between.trim() === '' && /ed$/.test(form) && !represents(clause, previous))
    return nearestBefore(clause, verb.start);
  // `a Plan that includes Charges is assigned to …`
  if (FORM_OF_BE.test(between)) return antecedentOf(clause, previous.verbStart);
  // `is used when creating one`: by whom is not said.
  if (/ing$/.test(form) && rule.voice !== 'passing' && /\b(?:when|while)\s+(?:\w+ly\s+)?$/i.test(between))
    return { kind: 'unknown' };
  if (/ing$/.test(form) && /\bby\s+(?:\w+ly\s+)?$/i.test(between) && isPassive(clause, previous))
    return { kind: 'unknown' };
  if (between.length < 200 && (/ing$/.test(form) || CHAIN.test(between))) return previous.subject;
  // `A Plan is a set of rules for mugs, and requires a Team`: what such rules are for is said on the way.
  if (
    previous.rule.code === 'collects' &&
    /^[^;:()]*,\s+(?:and|but)\s+(?:it\s+)?(?:\w+ly\s+)?$/i.test(between)
  )
    return previous.subject;
  return readSubject(clause, previous.end, verb.word);
}

/** That of the first verb; in `Unlike the Loader, which needs a Token, …` what stands before the comma is none but of the verb behind "which". */
function firstSubject(clause: Clause, verb: VerbPlace): Subject {
  const read = readSubject(clause, 0, verb.word);
  const nearer = plainAntecedent(clause, verb);
  if (nearer !== undefined && read.kind === 'named' && !read.refs.some(({ end }) => end > nearer.start))
    return readSubject(clause, nearer.start, nearer.word);
  if (read.kind === 'named' || read.kind === 'phrase' || !BEHIND_WHICH.test(clause.text.slice(0, verb.start)))
    return read;
  const antecedent = antecedentOf(clause, verb.start);
  return antecedent.kind === 'named' ? antecedent : read;
}

/** Plain words before ", which": `In **Kiln** it is managed by the oven server, which issues tokens`. */
function plainAntecedent(
  { text, words }: Clause,
  verb: VerbPlace,
): { readonly start: number; readonly word: number } | undefined {
  const before = text.slice(0, verb.start);
  const phrase =
    /\b(?:by|to|from|with|via|through|using)\s+((?:the|an?)\s+\p{Ll}[\p{L}-]+(?:\s+[\p{L}-]+){0,2}),\s+(?:which|who)\s+(?:\w+ly\s+)?$/u.exec(
      before.slice(-160),
    );
  if (phrase?.[1] === undefined) return undefined;
  const start = before.length - phrase[0].length + phrase[0].indexOf(phrase[1]);
  const word = words.findIndex((other) => other.start >= start + (phrase[1]?.length ?? 0));
  return { start, word };
}

const BEHIND_WHICH = /,\s+(?:which|who)\s+(?:\w+ly\s+)?$/i;

/** `Cards (needs a Token)` and `… (for example, a Card needs a Token)`: the subject stands directly before the bracket or in it. */
function inBrackets(clause: Clause, verb: VerbPlace, from: number): Subject | undefined {
  const before = clause.text.slice(from, verb.start);
  const bracket = before.lastIndexOf('(');
  if (bracket === -1 || before.indexOf(')', bracket) !== -1) return undefined;
  const opening =
    /^\(\s*(?:(?:e\.g\.|i\.e\.|for example|for instance)[,:]?\s*)?/i.exec(before.slice(bracket))?.[0] ?? '(';
  const inside = from + bracket + opening.length;
  if (!/^\s*(?:(?:which|that|also|and|or|always|\w+ly)\b\s*)*$/i.test(clause.text.slice(inside, verb.start)))
    return readSubject(clause, inside, verb.word);
  // Of one name it does not matter where it stands; of a list the last one is meant.
  if (!clause.text.slice(0, from + bracket).includes(',')) return undefined;
  const last = clause.refs.filter(({ end }) => end <= from + bracket).at(-1);
  const isNext = last !== undefined && clause.text.slice(last.end, from + bracket).trim() === '';
  return isNext ? { kind: 'named', refs: [last], around: [last] } : { kind: 'unknown' };
}

/** `the address on invoices that are generated by …`: invoices are. */
function ofRelative(clause: Clause, verb: VerbPlace, rule: VerbRule): Subject | undefined {
  if (rule.voice !== 'passive') return undefined;
  const match =
    /([\p{L}-]+)\s+(?:that|which)\s+(?:is|are|was|were|has been|have been)\s+(?:\w+ly\s+)?$/u.exec(
      clause.text.slice(0, verb.start),
    );
  if (match === null) return undefined;
  const told = TOLD_TO_BE.exec(clause.text.slice(0, match.index));
  if (told !== null && /^(?:event|webhook)$/i.test(match[1] ?? ''))
    return readSubject(
      clause,
      0,
      clause.words.findIndex(({ start }) => start > told.index),
    );
  const head = clause.words.findIndex(({ start }) => start >= match.index);
  const nearest = clause.refs.find(({ end }) => end === clause.words[head]?.end);
  if (nearest !== undefined) return { kind: 'named', refs: [nearest], around: [nearest] };
  return readSubject(clause, match.index, head + 1);
}

/** `A Mug is an event that is sent by …`: what is told to be an event is sent. */
const TOLD_TO_BE = /\sis\s+an?\s+(?:[\w-]+\s+)?$/i;

const PARTICIPLE = /ed$|^(?:belonging|bound|built|sent)$/;

/**
 * `the Loader looks for all Rows owned by a Team`: Rows are, and not what does something with them. Behind a name and a preposition either can be meant
 * (`Rows of a Table owned by a Team`), and what comes first is.
 */
function ofParticiple(clause: Clause, { word, start }: VerbPlace): Subject | undefined {
  const { text, words, refs } = clause;
  const form = words[word]?.text ?? '';
  const before = words[word - 1];
  // `asks for rooms requiring a key`: the rooms do.
  if (form === 'requiring' && before !== undefined && text.slice(before.end, start) === ' ')
    if (/[^su]s$/.test(before.text) && !refs.some(({ end }) => end === before.end))
      return { kind: 'unknown' };
  if (!PARTICIPLE.test(form) || before === undefined || text.slice(before.end, start).trim() !== '')
    return undefined;
  const at = refs.findIndex(({ end }) => end === before.end);
  const nearest = refs[at];
  const first = refs[0];
  if (nearest === undefined || first === undefined || at === 0)
    return form === 'belonging' && nearest === undefined
      ? readSubject(clause, before.start, word)
      : undefined;
  const other = refs[at - 1] ?? first;
  const between = text.slice(other.end, nearest.start);
  return DOES.test(between) ? { kind: 'named', refs: [nearest], around: [nearest] } : undefined;
}

/** Words between two names with a verb among them, so that they are no phrase of the first one. */
const DOES =
  /^\s+(?!(?:in|of|on|for|with|without|from|within|under|at|by|via|through|to|and|or|into|per|as|than|but|that|which|who|such|like|including)\b)\p{L}[^,;:()]*\s(?:(?:all|any|each|every|the|an?|its|their|some|those|these)\s+)?$/iu;

/** `can be assigned to a Shelf by creating a Label`: who does that is not said. */
function isPassive({ text }: Clause, { verbStart }: Reading): boolean {
  return /\b(?:be|been|is|are|was|were)\s+(?:\w+ly\s+)?$/i.test(
    text.slice(Math.max(0, verbStart - 30), verbStart),
  );
}

const FORM_OF_BE = /^\s*(?:is|are|was|were|(?:has|have|will|can|must)\s+(?:been|be))\s+$/i;

function represents({ text }: Clause, { verbStart }: Reading): boolean {
  return /^represents?\b/i.test(text.slice(verbStart, verbStart + 12));
}

/** What "that" stands for before a verb, a name or a plain word; a name farther away did nothing. */
function meantByThat(clause: Clause, verbStart: number): Subject {
  const nearest = nearestBefore(clause, verbStart);
  if (nearest.kind !== 'named') return nearest;
  const from = nearest.refs[0]?.end ?? verbStart;
  const words = /^\s+([\p{L}\s-]+?)\s+(?:that|which|who)\s+(?:\w+ly\s+)?$/iu.exec(
    clause.text.slice(from, verbStart),
  );
  const between = clause.text.slice(from, verbStart);
  const isApart = words === null && APART.test(between);
  const last = (isApart ? APART.exec(between)?.[1] : words?.[1]?.split(/\s+/).at(-1)) ?? '';
  if (last === '' || (!isApart && OBJECT_NOUN.test(last))) return nearest;
  const at = clause.words.findLastIndex(({ text, end }) => end <= verbStart && text === last.toLowerCase());
  return readSubject(clause, clause.words[at]?.start ?? verbStart, at + 1);
}

/** `In a Roster, a label shows the person that …`: more than a phrase lies between a name and "that". */
const APART = /[,;:].*?\s([\p{L}-]+)\s+(?:that|which|who)\s+(?:\w+ly\s+)?$/iu;

/** The name that "that" or "which" stands for. */
function nearestBefore({ refs }: Clause, at: number): Subject {
  const nearest = refs.filter(({ end }) => end <= at).at(-1);
  return nearest === undefined ? { kind: 'unknown' } : { kind: 'named', refs: [nearest], around: [nearest] };
}

/** The name directly before the "that" of a verb. */
function antecedentOf(clause: Clause, verbStart: number): Subject {
  const subject = nearestBefore(clause, verbStart);
  if (subject.kind !== 'named') return subject;
  const [name] = subject.refs;
  const behind = clause.text.slice(name?.end ?? verbStart, verbStart);
  return /^(?:\s+objects?)?,?\s+(?:that|which|who)\s+$/i.test(behind) ? subject : { kind: 'unknown' };
}

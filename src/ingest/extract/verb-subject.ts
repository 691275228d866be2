/** Whose verb it is, among several verbs of one sentence. */
import type { Clause, Subject } from './clause.ts';
import { readSubject } from './clause-subject.ts';
import type { Reading } from './readings.ts';
import type { End } from './speaker.ts';
import { isReader } from './verb-forms.ts';
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
  if (rule.voice === 'relative') return nearestBefore(clause, verb.start);
  if (rule.voice === 'receiving' || isReader(clause, verb)) return { kind: 'unknown' };
  if (previous === undefined) return readSubject(clause, 0, verb.word);
  const between = clause.text.slice(previous.end, verb.start);
  if (/^\s*(?:\w+\s+)?(?:that|which|who)\s+(?:\w+ly\s+)?$/i.test(between))
    return nearestBefore(clause, verb.start);
  const form = clause.words[verb.word]?.text ?? '';
  // `has an Invoice created by a Subscription`; what represents a thing is that thing.
  if (between.trim() === '' && /ed$/.test(form) && !represents(clause, previous))
    return nearestBefore(clause, verb.start);
  // `a Plan that includes Charges is assigned to …`
  if (FORM_OF_BE.test(between)) return antecedentOf(clause, previous.verbStart);
  if (between.length < 200 && (/ing$/.test(form) || CHAIN.test(between))) return previous.subject;
  return readSubject(clause, previous.end, verb.word);
}

const FORM_OF_BE = /^\s*(?:is|are|was|were|(?:has|have|will|can|must)\s+(?:been|be))\s+$/i;

function represents({ text }: Clause, { verbStart }: Reading): boolean {
  return /^represents?\b/i.test(text.slice(verbStart, verbStart + 12));
}

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

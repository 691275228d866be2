/** What parts of a system pass to each other: `sends rows to the Store`, `fetches rows from the Collector`. */
import { type Clause, STOP_WORDS, type Subject } from './clause.ts';
import { readObjects } from './clause-objects.ts';
import { isVerb } from './names.ts';
import type { Reading } from './readings.ts';
import { resolve } from './resolved-ends.ts';
import { type End, endOf, type Speaker } from './speaker.ts';
import { canBeDone } from './verb-forms.ts';
import type { VerbPlace } from './verb-phrases.ts';
import { subjectOf } from './verb-subject.ts';
import type { VerbRule } from './verbs.ts';

/** Reads `The Loader sends batches of rows to the Store`. What a reader is told to send says nothing of the section's subject. */
export function readPassing(
  clause: Clause,
  verb: VerbPlace,
  rule: VerbRule,
  previous: Reading | undefined,
  speaker: Speaker,
): Reading | undefined {
  const passed = rule.joined?.exec(clause.text.slice(verb.end, verb.end + 120));
  if (passed === undefined || passed === null || !isPhrase(passed[1] ?? '')) return undefined;
  const joint = verb.end + passed[0].length;
  const objects = readObjects(clause, joint, 'thing');
  const [first] = objects.refs;
  if (
    first === undefined ||
    (!first.marked && first.start === joint && isVerb(first.label.split(' ')[0] ?? ''))
  )
    return undefined;
  const subject = subjectOf(clause, verb, previous, rule);
  if (isReaders(clause, verb, subject) || isMisread(clause, verb, subject)) return undefined;
  const ends = resolve(subject, rule.edge, objects.refs, speaker);
  if (ends.length === 0) return undefined;
  return { rule, verbStart: verb.start, subject: ends, objects: objects.refs.map(endOf), end: objects.end };
}

/** Whether the form of the verb shows that its subject does not do it. */
function isMisread(clause: Clause, verb: VerbPlace, subject: Subject | readonly End[]): boolean {
  return 'kind' in subject && !canBeDone(clause, verb, subject);
}

/** Whether words are one noun phrase, so that what follows them still belongs to the verb before. */
function isPhrase(text: string): boolean {
  const words = text.trim().toLowerCase().split(/\s+/);
  return (
    !OWN_PREPOSITION.test(words.at(-1) ?? '') &&
    words.every((word) => !STOP_WORDS.has(word) || IN_PHRASE.test(word))
  );
}

const IN_PHRASE = /^(?:of|and|or|them|it|itself|themselves|then|also)$/;

/**
 * Words that have the following preposition for themselves, so that it says when, how or which, and not where to: `prior to the Store`,
 * `rows belonging to the Store`.
 */
const OWN_PREPOSITION =
  /^(?:according|apart|aside|belonging|close|contrary|corresponding|different|distinct|due|equal|identical|independently|missing|next|owing|pertaining|prior|referring|related|relating|relative|relevant|separately|similar|specific|subject|thanks)$/;

/** Whether the sentence tells the reader to do it: `Send the request to the server`. It names nobody who does, and the verb is an imperative. */
function isReaders({ words }: Clause, { word }: VerbPlace, subject: Subject | readonly End[]): boolean {
  if (!('kind' in subject)) return false;
  if (subject.kind === 'unknown' || subject.kind === 'endpoint') return true;
  return subject.kind === 'implied' && subject.isSilent && !/[^s]s$/.test(words[word]?.text ?? '');
}

/** Relations that a noun expresses: `a link between the Order and the Cart`. */
import { type Clause, isNegated } from './clause.ts';
import { readObjects } from './clause-objects.ts';
import type { Reading } from './readings.ts';
import { endOf } from './speaker.ts';
import type { VerbRule } from './verbs.ts';

const RULE: VerbRule = {
  code: 'between',
  phrases: '',
  edge: 'references',
  voice: 'placing',
  means: 'thing',
  confidence: 0.7,
};

const BETWEEN =
  /\b(?:links?|relations?|relationships?|associations?|connections?|mappings?|references?)\s+between\s+/gi;

const DENIED = /\bno\s+(?:\w+\s+)?$/i;

/** The relations that nouns of a clause express between the two things that follow them. */
export function readBetween(clause: Clause): Reading[] {
  if (!clause.text.includes(' between ')) return [];
  const readings: Reading[] = [];
  for (const { index, 0: noun } of clause.text.matchAll(BETWEEN)) {
    if (isNegated(clause, index) || DENIED.test(clause.text.slice(Math.max(0, index - 20), index))) continue;
    const { refs, end } = readObjects(clause, index + noun.length, 'thing');
    const [one, other] = refs;
    if (one === undefined || other === undefined || refs.length > 2 || one.key === other.key) continue;
    readings.push({ rule: RULE, verbStart: index, subject: [endOf(one)], objects: [endOf(other)], end });
  }
  return readings;
}

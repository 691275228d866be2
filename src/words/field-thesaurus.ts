import { FIELD_WORDS } from './field-words.ts';
import type { Thesaurus } from './thesaurus.ts';
import { stemOf, wordsOf } from './tokens.ts';

/** What stands in one line of the list is less sure to mean the same than a synonym is; measured, see docs/decisions.md. */
const NEARNESS = 0.5;

/** A thesaurus, and the words of the field of software beside it, in any form. */
export function withFieldWords(general: Thesaurus): Thesaurus {
  const others = othersByMember();
  return {
    related(word) {
      const near = general.related(word);
      const ofField = others.get(keyOf(word));
      if (ofField === undefined) return near;
      const both = new Map(near);
      for (const other of ofField) both.set(other, Math.max(NEARNESS, both.get(other) ?? 0));
      return both;
    },
    close: () => general.close(),
  };
}

/** By the stem of a word or expression: all that stands in a line with it. */
function othersByMember(): ReadonlyMap<string, readonly string[]> {
  const others = new Map<string, string[]>();
  for (const line of FIELD_WORDS.trim().split('\n')) {
    const members = line.split(', ');
    for (const member of members) {
      const key = keyOf(member);
      const known = others.get(key) ?? [];
      known.push(...members.filter((other) => keyOf(other) !== key));
      others.set(key, known);
    }
  }
  return others;
}

function keyOf(expression: string): string {
  return wordsOf(expression).map(stemOf).join(' ');
}

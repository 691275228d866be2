import { FIELD_WORDS } from './field-words.ts';
import type { Thesaurus } from './thesaurus.ts';
import { stemOf, wordsOf } from './tokens.ts';

/** Words in one line of the list are less sure to mean the same than synonyms are; measured, see docs/decisions.md. */
const NEARNESS = 0.5;

/** A thesaurus extended by words of the field of software, in any form. */
export function withFieldWords(general: Thesaurus): Thesaurus {
  const others = othersByMember(FIELD_WORDS);
  return {
    related(word) {
      const near = general.related(word);
      const ofField = others(keyOf(word));
      if (ofField === undefined) return near;
      const both = new Map(near);
      for (const other of ofField) both.set(other, Math.max(NEARNESS, both.get(other) ?? 0));
      return both;
    },
    close: () => general.close(),
  };
}

/**
 * By the stem of a word or expression: all others in its line. Making stems of the whole list takes as long as many a question, so only those are
 * made of which one is asked for: a stem begins like its word.
 */
function othersByMember(list: string): (key: string) => readonly string[] | undefined {
  const lines = new Map<string, Set<readonly string[]>>();
  for (const line of list.trim().split('\n')) {
    const members = line.split(', ');
    for (const member of members) {
      const beginning = beginningOf(member);
      const known = lines.get(beginning) ?? new Set();
      lines.set(beginning, known.add(members));
    }
  }
  const known = new Map<string, ReadonlyMap<string, readonly string[]>>();
  return (key) => {
    const beginning = beginningOf(key);
    const others = known.get(beginning) ?? othersIn([...(lines.get(beginning) ?? [])], beginning);
    known.set(beginning, others);
    return others.get(key);
  };
}

function othersIn(lines: readonly (readonly string[])[], beginning: string): Map<string, string[]> {
  const others = new Map<string, string[]>();
  for (const members of lines) {
    for (const member of members) {
      if (beginningOf(member) !== beginning) continue;
      const key = keyOf(member);
      const known = others.get(key) ?? [];
      known.push(...members.filter((other) => keyOf(other) !== key));
      others.set(key, known);
    }
  }
  return others;
}

function beginningOf(text: string): string {
  return text.slice(0, 2).toLowerCase();
}

function keyOf(expression: string): string {
  return wordsOf(expression).map(stemOf).join(' ');
}

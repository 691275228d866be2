import type { Command } from './command.ts';

/** More of them help nobody. */
const MOST = 3;

/**
 * Verbs in which words stand that were typed without those before them: `context memory import` for `memory import`, and `context memory` for
 * `memory list-all`.
 * @param words one or two; of two the first one has to be there
 * @returns none where there are more than three
 */
export function verbsWithin(words: readonly string[], commands: readonly Pick<Command, 'verb'>[]): string[] {
  const verbs = commands.map(({ verb }) => verb);
  const whole = verbs.filter((verb) => verb.endsWith(` ${words.join(' ')}`));
  const within = whole.length > 0 ? whole : verbs.flatMap((verb) => upTo(words[0] ?? '', verb));
  const found = [...new Set(within)];
  return found.length > MOST ? [] : found;
}

function upTo(word: string, verb: string): string[] {
  const parts = verb.split(' ');
  const place = parts.indexOf(word, 1);
  return place === -1 ? [] : [parts.slice(0, place + 1).join(' ')];
}

import type { Command } from './command.ts';

/** More suggestions help nobody. */
const MOST = 3;

/**
 * The verbs that contain the typed words, where the words in front of them are missing or the last ones wrong: `context memory import` for `memory import`, and
 * `context memory` for `memory list-all`.
 * @param words one or two; if there are two, only the first has to occur
 * @returns none if there are more than three
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

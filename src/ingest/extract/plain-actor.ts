/** Who does something to a name and then something else: `The service checks the Mug, and creates a Bowl`. */
import { type Clause, STOP_WORDS } from './clause.ts';
import { isVerb } from './names.ts';
import type { Ref } from './refs.ts';
import { phrasesFrom } from './verb-phrases.ts';

/** Up to four words for who acts, the word that says what is done, and the article of its object. */
const ACTS =
  /^(\W*(?:[\p{L}-]+\s+){0,4}?)(\p{L}+)\s+(?:(?:up|out|off|down|over)\s+)?((?:(?:an?|the|this|that|its|their|your|our|each|every|all|any)\s+)?)(?:\w+\s+)?$/u;
/** The same where the name has no article: `The service checks Mug`. */
const ACTS_ON_NAME = /^(\W*(?:[\p{L}-]+\s+){2,4})(\p{L}+)\s+$/u;

/** A further verb of the same subject follows. */
const GOES_ON = /(?:,|\b(?:and|then))\s+(?:\w+ly\s+)?$/i;

/**
 * Where the words for who acts end, if the name behind them is only what is acted on; nothing where the name itself may act.
 * @param start of the clause
 * @param verb where the further verb begins
 */
export function endOfActor(
  { text }: Clause,
  start: number,
  { start: object, end: objectEnd }: Ref,
  verb: number,
): number | undefined {
  if (!GOES_ON.test(text.slice(objectEnd, verb))) return undefined;
  const before = text.slice(start, object);
  return [ACTS, ACTS_ON_NAME]
    .map((pattern) => actorIn(pattern.exec(before), isParticiple(text, verb)))
    .flatMap((actor) => (actor === undefined ? [] : [start + actor.length]))[0];
}

/** The words for who acts, if these are such and the word behind them says what is done. */
function actorIn(match: RegExpExecArray | null, isUsed: boolean): string | undefined {
  if (match === null) return undefined;
  const [, actor = '', act = '', article = ''] = match;
  const words = actor.trim() === '' ? [] : actor.trim().toLowerCase().split(/\s+/);
  const isPlain = /^(?:an?|the|this|each|every)$/.test(words[0] ?? '') && words.length > 1;
  // `Run the Mug with clay, using the Hook`: what is used belongs to what is done with the name.
  if (words.length === 0 && isUsed) return undefined;
  const acts = isPlain && article !== '' ? isThird(act) : isAct(act, words.length > 0);
  return acts && !words.some((word) => isNoActor(word)) ? actor : undefined;
}

/** `checks` behind who does it; `Check` and `Checks` where nobody is said to. */
function isAct(word: string, hasActor: boolean): boolean {
  const folded = word.toLowerCase();
  if (hasActor && !isThird(folded)) return false;
  const stem = isThird(folded) ? folded.replace(/s$/, '') : folded;
  return isVerb(stem) || isVerb(stem.replace(/e$/, '')) || phrasesFrom(folded) !== undefined;
}

function isThird(word: string): boolean {
  return /[^su]s$/i.test(word);
}

/** Words that stand before no verb of a plain subject: `the user of`, `when the`. */
function isNoActor(word: string): boolean {
  return STOP_WORDS.has(word) && word !== 'it' && word !== 'they';
}

/** Whether the verb there says `using`, which has no subject of its own before it. */
export function isParticiple(text: string, verb: number): boolean {
  return /^\s*\p{L}+ing\b/u.test(text.slice(verb, verb + 40));
}

/**
 * Clauses by which a verb does not speak of the things themselves: `crates that require a permit` need one, but crates as such do not; `requires that
 * potters sign` requires no potters.
 */
import { type Clause, STOP_WORDS } from './clause.ts';
import { isCapitalised, isQualifier, OBJECT_NOUN } from './names.ts';
import type { Ref } from './refs.ts';
import type { VerbPlace } from './verb-phrases.ts';

/** "that" before a verb, with the word before it and no comma between them. What precedes it opens the sentence. */
const THAT = /([\p{L}\p{N}-]+)["'”’*]?\s+(?:that|which|who)\s+(?:\w+ly\s+|also\s+|only\s+)?$/iu;

/** Openings of a sentence that says what a thing is: `is a box that requires …`, `**Relay**: a box that requires …`. What it says holds for every such thing. */
const IS_TOLD =
  /(?:^|\b(?:is|are|be|being|represents?|describes?|means|as)|[:—–]|\s-|\))\W*(?:an?|the|one)\s+(?:[\p{L}\p{N}-]+\s+){0,4}$/iu;

/** The same in a few words: `Box that requires …`. */
const IS_TOLD_BRIEFLY = /^\W*(?:\p{L}+\s+)?$/u;

/** Whether a verb stands in a clause that picks out some of many, so that it does not hold for all. */
export function isOfSome({ text, words, refs }: Clause, { word, start }: VerbPlace): boolean {
  const before = text.slice(Math.max(0, start - 120), start);
  const that = THAT.exec(before);
  const at = that === null ? start : start - before.length + that.index + (that[1] ?? '').length;
  if (that === null && words[word]?.text.endsWith('ing') !== true) return false;
  const head = words.findLast(({ end }) => end <= at);
  if (head === undefined || (that === null && /\S/.test(text.slice(head.end, start)))) return false;
  const named = refs.some(({ end }) => end === head.end);
  if (named || OBJECT_NOUN.test(head.text)) return true;
  if (that === null) return false;
  const opening = text.slice(Math.max(0, head.start - 80), head.start);
  return !IS_TOLD.test(opening) && (head.text.endsWith('s') || !IS_TOLD_BRIEFLY.test(opening));
}

/** `depends on how the Shelf was built`: what matters is an answer, and not the thing asked about. */
const ASKS = /^\s+(?:how|whether|why|when|where|who|whom|if|(?:what|which)(?=\s+[\p{L}-]+\s))\b/iu;

/** Behind a name: that it has to be there, or what is called after it: `that the Vault plugin is installed`. */
const HAS_TO_BE =
  /^(?:\s+(?!(?:who|that|which|not|never)\b)\p{Ll}+(?<!ing|ed))?\s+(?:(?:must|should|already|first)\s+)*(?:is|are|be|exists?|has|have)\b(?!\s+(?:not|never|in|on|at|from|an?)\b)/u;

/** Whether a verb that requires something is followed by a clause, in which a name is asked about or has to do something. */
export function requiresNoThing(
  { text }: Clause,
  { start, end }: VerbPlace,
  [object]: readonly Ref[],
): boolean {
  const behind = text.slice(end, end + 80);
  if (ASKS.test(behind)) return true;
  if (object !== undefined && isCounted(text.slice(end, object.start), object)) return true;
  // In `depends on that Shelf` the word points at the thing.
  if (object === undefined || !/^\s+that\b/i.test(behind) || /\son$/i.test(text.slice(start, end)))
    return false;
  return !HAS_TO_BE.test(text.slice(object.end));
}

/** Words that only say that there are several: `depends on multiple factors`. */
const COUNTS = /^\s+(?:multiple|several|many|various|different|numerous|a\s+(?:few|number\s+of))\s+$/i;

/** Whether a plain noun is only counted, and no thing is named by it. */
function isCounted(between: string, { label, marked, part }: Ref): boolean {
  return !marked && part === undefined && !isCapitalised(label) && COUNTS.test(between);
}

/** Words that may follow the thing itself, and go on about it: `can be added to a Shelf later`. */
const GOES_ON = /(?:ed|ing|ly)$|^(?:sent|made|built|kept|held|sold|bound|later|again|together)$/;

/** Whether a verb by which things are put together says of none what belongs to it. */
export function hasNoMembers(clause: Clause, verb: VerbPlace, objects: readonly Ref[]): boolean {
  return isOfNounBehind(clause, objects) || isSupposed(clause, verb);
}

/** Whether the last of several names only says of which kind the noun behind it is: `a set of **Docker** images`, `added to the **Kiln** configuration file`. */
function isOfNounBehind({ text }: Clause, objects: readonly Ref[]): boolean {
  const last = objects.at(-1);
  if (last === undefined) return false;
  const noun = /^["'”’]?\s+(\p{Ll}[\p{L}-]+)/u.exec(text.slice(last.end, last.end + 40))?.[1];
  if (noun === undefined || STOP_WORDS.has(noun) || isQualifier(noun) || GOES_ON.test(noun)) return false;
  return !OBJECT_NOUN.test(noun) && !/^(?:instances?|entr(?:y|ies))$/.test(noun);
}

/** `If the Shelf is a list of Orders, …`: one shelf may be that, and shelves as such are none. */
function isSupposed({ text }: Clause, { start }: VerbPlace): boolean {
  return /(?:^|[,;:(]\s*)(?:and\s+|but\s+|or\s+)?(?:if|whether|unless|when|whenever|where)\s[^,;:()]*$/i.test(
    text.slice(Math.max(0, start - 120), start),
  );
}

/** `✓ Fired | ? Needs Glazing`: a legend, of which no part tells of the section's subject. */
export function opensCell({ text }: Clause, { start }: VerbPlace): boolean {
  return /\|[^\p{L}\p{N}]*$/u.test(text.slice(Math.max(0, start - 8), start));
}

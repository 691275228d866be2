/**
 * The objects of a clause: the names behind a verb or, if there are none, a plain noun phrase that another document
 * may declare.
 */
import { type Clause, STOP_WORDS } from './clause.ts';
import { isQualifier } from './names.ts';
import { isLeadIn, plainName } from './plain-names.ts';
import type { Ref } from './refs.ts';
import { isNoun } from './verb-forms.ts';
import { verbAt } from './verb-phrases.ts';
import type { VerbRule } from './verbs.ts';
import type { Word } from './words.ts';

const MAX_ADJECTIVES = 3;
/** A longer list of names is data. */
const MAX_OBJECTS = 21;

/** A status, behind which the text names what is returned: `200 OK with`, `a 201 response with`. */
const STATUS =
  /^\s*(?:an?\s+)?(?:HTTP\s+)?\d{3}\b[\w ]{0,30}?(?:\([^()]{1,40}\)\s*)?\bwith\s+(?=an?\b|the\b)/i;

/**
 * The names behind a verb that are its objects: the first one and those joined to it.
 * @param maxAdjectives how many other words may stand before the first one
 */
export function readObjects(
  clause: Clause,
  from: number,
  means: VerbRule['means'],
  maxAdjectives = MAX_ADJECTIVES,
): { refs: Ref[]; end: number } {
  const found: Ref[] = [];
  let at = from + (STATUS.exec(clause.text.slice(from, from + 80))?.[0].length ?? 0);
  for (;;) {
    const ref = nextName(clause, at, found.length === 0 ? maxAdjectives : 0, means);
    if (ref === undefined) break;
    const [first] = found;
    if (first !== undefined && (isEvent(first) !== isEvent(ref) || opensClause(clause, ref))) break;
    found.push(ref);
    const joint = behindName(clause, ref);
    at = joint.end;
    if (!joint.goesOn || found.length >= MAX_OBJECTS) break;
  }
  return { refs: found, end: at };
}

/**
 * Whether a name begins a new clause, since a verb follows it: `triggers warnings, **Loader** could wait`, `needs a Charge, and Loader has a limit`. Behind
 * "and", the verb must be one that cannot be a noun.
 */
function opensClause(clause: Clause, { start, end }: Ref): boolean {
  const { text } = clause;
  const joint = /(,|\b(?:and|but))\s*(?:then\s+)?(?:an?\s+|the\s+)?$/i.exec(
    text.slice(Math.max(0, start - 16), start),
  );
  if (joint === null) return false;
  const behind = text.slice(end, end + 10);
  // A plain name may include the verb by mistake.
  const known = clause.refs.find((ref) => ref.start === start);
  return (
    /^\s+(?:will|would|can|could|may|might|must|should|shall|is|are|was|were|has|have|had|does|do)\s/i.test(
      behind,
    ) ||
    (joint[1] === ',' && SUBORDINATE.test(text) && actsAt(clause, known?.end ?? end))
  );
}

/** Whether a verb stands at `from`: `Once it gets a row from **Kiln**, **Loader** creates a Charge`. */
function actsAt(clause: Clause, from: number): boolean {
  const word = clause.words.findIndex(({ start }) => start >= from);
  const verb = verbAt(clause.words, word);
  return verb !== undefined && clause.text.slice(from, verb.start).trim() === '' && !isNoun(clause, verb);
}

/** The name at `from`, with articles and adjectives before it skipped. */
function nextName(
  clause: Clause,
  from: number,
  maxAdjectives: number,
  means: VerbRule['means'],
): Ref | undefined {
  const { text } = clause;
  let adjectives = 0;
  let hasArticle = false;
  let at = startOfNext(text, from);
  for (;;) {
    const ref = clause.refs.find(({ start }) => start === at);
    if (ref !== undefined) {
      if (isAside(text, ref)) return undefined;
      if (!isGenitive(text, ref) && !isModifier(clause, ref)) return nameMeant(clause, ref, means);
      at = startOfNext(text, skipGenitive(text, ref.end));
      continue;
    }
    const word = clause.words.find(({ start }) => start >= at);
    if (word === undefined || word.start !== at) return undefined;
    if (DENIAL.test(text.slice(at, at + 20))) return undefined;
    const isOf = word.text === 'of' && at > from;
    if (!isOf && !leadsToName(text, word)) {
      if (STOP_WORDS.has(word.text)) return undefined;
      const isPlain = means !== 'event' && (maxAdjectives > 0 || hasArticle);
      const plain = isPlain ? plainName(clause, at) : undefined;
      if (plain !== undefined) {
        const isObject = !isOfFile(text, plain) && (maxAdjectives > 0 || !beginsClause(text, plain));
        return isObject ? plain : undefined;
      }
      adjectives += 1;
      if (adjectives > maxAdjectives) return undefined;
    }
    hasArticle ||= ARTICLE.test(word.text);
    at = startOfNext(text, skipGenitive(text, word.end));
  }
}

/** Where the next name or word begins. Opening quotes and brackets, a dash, and `kinds of` are skipped. */
function startOfNext(text: string, from: number): number {
  let at = from;
  for (;;) {
    at += /^[\s"'“(:]*(?:—\s*)?/.exec(text.slice(at, at + 40))?.[0].length ?? 0;
    const kinds = KINDS_OF.exec(text.slice(at, at + 20))?.[0];
    if (kinds === undefined) return at;
    at += kinds.length;
  }
}

/** The name that is meant at a known name: a longer one may begin there. Undefined if the verb cannot mean it. */
function nameMeant(clause: Clause, ref: Ref, means: VerbRule['means']): Ref | undefined {
  const longer = ref.marked || ref.part !== undefined ? undefined : plainName(clause, ref.start);
  if (longer !== undefined && longer.end > ref.end) return means === 'event' ? undefined : longer;
  return fits(ref, means) && !isOfFile(clause.text, ref) ? ref : undefined;
}

/** Whether a word only introduces the name behind it, as articles and counts do. */
function leadsToName(text: string, word: Word): boolean {
  return isLeadIn(text, word) || (isQualifier(word.text) && !isJoint(text, word));
}

/** Words behind which the thing itself is named: `many kinds of trays`. */
const KINDS_OF = /^(?:kinds?|types?|sorts?|variety|varieties|pieces?|pairs?|lots?)\s+of\s+/i;

/** Distinguishes a further thing of a list from a verb: `holds a Charge and the invoices`, not `holds a Charge and invoices it`. */
const ARTICLE = /^(?:an?|the|its|their|one|each|every)$/;

/** Whether a name begins a clause of its own: `needs a Charge, and the customer is told`, `If it needs a Charge, the customer waits`. */
function beginsClause(text: string, { start, end }: Ref): boolean {
  const before = text.slice(Math.max(0, start - 30), start);
  if (SUBORDINATE.test(text) && /,\s+(?:an?|the|its|their|one|each|every)\s+(?:\w+\s+)?$/i.test(before))
    return true;
  return /^\s+(?:(?:will|would|can|could|may|might|must|should|shall|is|are|was|were|has|have|had|does|do|did|gets?|also|then|only|never|always|often|still|now|already|not)\b|\p{L}+(?:ed|ing|ly)\b)/u.test(
    text.slice(end, end + 30),
  );
}

const SUBORDINATE =
  /^\W*(?:(?:each|every|any)\s+time|if|when|whenever|once|while|after|before|since|because|unless|until|as|to|for|by|with|in|on|at|\w+ing)\b/i;

/** Words that deny the object: `requires no Customer`. `no more than one Customer` only counts. */
const DENIAL = /^(?:no(?!\s+(?:more|less|fewer)\s+than\b)|none|neither|nothing|not|never|zero(?!\s+or\b))\b/i;

/**
 * Whether a verb follows the word: `creates or updates`, `needs to search`. None does if things are counted (`one or more`, `up to five`) or chosen
 * (`new or existing`).
 */
function isJoint(text: string, { text: word, start, end }: Word): boolean {
  if (word === 'to') return !/\bup\s+$/i.test(text.slice(Math.max(0, start - 4), start));
  if (word !== 'or') return false;
  const next = /^\s+([\p{L}-]+)/u.exec(text.slice(end, end + 40))?.[1] ?? '';
  return !isQualifier(next);
}

/** Whether the name is part of a file's name: `a Redis settings.yaml` is a file for Redis. */
function isOfFile(text: string, { marked, end }: Ref): boolean {
  return (
    !marked &&
    /^ [\w-]{1,60}\.(?:ya?ml|json|toml|ini|conf|cfg|env|xml|sql|proto|properties)\b/.test(
      text.slice(end, end + 80),
    )
  );
}

function fits(ref: Ref, means: VerbRule['means']): boolean {
  return means === 'any' || isEvent(ref) === (means === 'event');
}

function isEvent({ type }: Ref): boolean {
  return type === 'Event';
}

function isGenitive(text: string, ref: Ref): boolean {
  return /^['’]s?\s/.test(text.slice(ref.end, ref.end + 3));
}

function skipGenitive(text: string, end: number): number {
  return end + (/^['’]s?/.exec(text.slice(end, end + 2))?.[0].length ?? 0);
}

/** Whether a name in brackets only says which of those behind them do something: `by (tenant) admins`. */
function isAside(text: string, { start, end }: Ref): boolean {
  if (!/\bby\s+(?:an?\s+|the\s+)?\($/i.test(text.slice(Math.max(0, start - 12), start))) return false;
  return /^\)\s+(?!(?:and|or)\b)\p{Ll}/u.test(text.slice(end, end + 8));
}

/** Whether a word only says what kind of event is meant, which is named before or behind it: `**Webhook** event`. */
function isModifier({ text, refs }: Clause, ref: Ref): boolean {
  if (ref.type === 'Event' || ref.type === 'Endpoint') return false;
  const behind = /^\s+events?\b/i.exec(text.slice(ref.end, ref.end + 12));
  if (behind === null) return false;
  return refs.some((other) => other.type === 'Event' && Math.abs(other.start - ref.end) < 40);
}

const JOINT =
  /^\s*(?:,\s*(?:and\/or|and|or|as well as)?|\band\/or\b|\band\b|\bor\b|&|\/|as well as|\+)\s*(?:optionally\s+|then\s+|also\s+|either\s+)?/i;

/** What the text calls a thing behind its name: `**Charge** webhook objects`. */
const KIND_BEHIND =
  /^["'”’]?(?:\s+(?:gateway|webhook|web hook))?(?:\s+(?:objects?|resources?|entit(?:y|ies)|(?:(?:data|domain)\s+)?models?|schemas?|records?|events?|permissions?|scopes?|intents?|IDs?|instances?))?/i;
const WEBHOOK_EVENT_BEHIND = /^\s+Webhook\s+events?/i;
/** A list that goes on in brackets: `a Charge (or a Refund)`. */
const LIST_IN_BRACKETS = /^\s*\((?=(?:or|and)\s)/i;
const REMARK_IN_BRACKETS = /^\s*\([^()]{0,120}\)/;

/** Where the list of names continues behind a name. Kinds, remarks in brackets and conjunctions are skipped. */
function behindName({ text }: Clause, ref: Ref): { end: number; goesOn: boolean } {
  const lengthOf = (pattern: RegExp, from: number, most: number): number =>
    pattern.exec(text.slice(from, from + most))?.[0].length ?? 0;
  let at = ref.end;
  at += lengthOf(KIND_BEHIND, at, 60);
  if (isEvent(ref)) at += lengthOf(WEBHOOK_EVENT_BEHIND, at, 20);
  at += lengthOf(LIST_IN_BRACKETS, at, 10) || lengthOf(REMARK_IN_BRACKETS, at, 130);
  const joint = lengthOf(JOINT, at, 40);
  return { end: at + joint, goesOn: joint > 0 };
}

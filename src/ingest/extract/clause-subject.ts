/** The subject of a clause: who stands before its verb, said outright, by a pronoun or not at all. */
import { type Clause, STOP_WORDS, type Subject } from './clause.ts';
import { bareName, conceptKeyOf, isName, isVerb } from './names.ts';
import { endOfActor, isParticiple } from './plain-actor.ts';
import type { Ref } from './refs.ts';
import { isWordCode } from './words.ts';

/** A subject is looked for in that many characters before its verb. */
const MAX_SUBJECT = 240;

/** Words that open what stands before a clause and is no part of it. */
const ADVERBIAL: ReadonlySet<string> = new Set(
  `if when whenever on at after before for upon in once during to as with otherwise then next finally additionally by via using
  because since while unless until instead optionally under within without from note however also unlike besides despite except alongside`.split(
    /\s+/,
  ),
);

/** Of those, the ones whose own clause has a subject where no comma ends it: `If this Charge is initiated by …`. */
const CONJUNCTION: ReadonlySet<string> = new Set(
  'if when whenever once after before because since while'.split(' '),
);

/** Words that open such a clause together: `Each time you fire a Mug, …`. */
const WHENEVER = /^\W*(?:each|every|any)\s+time\s/i;

/** Words between a subject and its verb. */
const AUXILIARY: ReadonlySet<string> = new Set(
  `can may might could must should will would shall does do did is are was were be been being get gets has have to also then now
  only always typically usually often itself either both each all and or but which that who it`.split(/\s+/),
);

const ENDPOINT_SUBJECT =
  /^(?:(?:an?|this|the|that|each|every|any|all)\s+)?(?:(?:api|http|successful|resulting|same|above|following|get|post|put|patch|delete|list|create|update|retrieve)\s+)?(?:endpoint|method|request|call|operation|mutation|route|action|api call|api)s?$/i;
const PRONOUN =
  /^(?:it|this|they|these|that|this (?:object|resource|entity)|the (?:object|resource|event|response|result|service|module|component|worker|job|system|application|library|plugin)|returns?|response)?$/i;
const FIELD = /^(?:the\s+|its?\s+)?[\w-]+\s+(?:field|property|parameter|attribute|key|header|value)s?\b/i;

/** The subject of the verb that begins at word `verb`, in the text from `from` on. */
export function readSubject(clause: Clause, from: number, verb: number): Subject {
  const { words, refs } = clause;
  const verbStart = words[verb]?.start ?? 0;
  const opening = skipLabel(clause, Math.max(from, verbStart - MAX_SUBJECT), verbStart);
  const outer = skipAdverbial(clause, opening, verb);
  const end = beforeAuxiliaries(clause, verb, outer);
  const start = skipConjunction(clause, outer, end);
  const bare = trimmed(clause.text, start, end);
  if (isVerbOnly(clause.text.slice(start, verbStart)))
    return { kind: 'implied', isSilent: true, isPointing: false, isIt: false };
  if (PRONOUN.test(bare)) return meantBy(bare, clause, opening, start, end);
  if (ENDPOINT_SUBJECT.test(bare)) return { kind: 'endpoint' };
  if (FIELD.test(bare)) return { kind: 'unknown' };
  const around = refs.filter(
    (ref) =>
      ref.start >= start && ref.end <= verbStart && !IN_ASIDE.test(clause.text.slice(start, ref.start)),
  );
  const own = subjectOfClause(clause, around, end);
  if (own !== undefined) return { kind: 'named', refs: [own], around: [own] };
  const heads = subjectRefs(clause, around, start);
  const actor = heads[0] === undefined ? undefined : endOfActor(clause, start, heads[0], verbStart);
  if (actor !== undefined) return plainActor(clause, opening, start, actor);
  if (heads.length > 0) return { kind: 'named', refs: heads, around };
  if (around.length > 0) return { kind: 'unknown' };
  const plain = plainSubject(clause, start, bare);
  return plain === undefined ? { kind: 'unknown' } : { kind: 'phrase', ref: plain };
}

/** Who acts, said without a name: `The service`, `This endpoint`, `It`, or nobody in `Checks the Mug and creates a Bowl`. */
function plainActor(clause: Clause, opening: number, start: number, end: number): Subject {
  const bare = trimmed(clause.text, start, end);
  if (PRONOUN.test(bare)) return meantBy(bare, clause, opening, start, end);
  if (ENDPOINT_SUBJECT.test(bare)) return { kind: 'endpoint' };
  const plain = plainSubject(clause, start, bare);
  return plain === undefined ? { kind: 'unknown' } : { kind: 'phrase', ref: plain };
}

/** `Updates or creates a state`, `Select or create one`: the word before the verb is one, too. */
function isVerbOnly(before: string): boolean {
  const word = /^\W*([A-Z][a-z]+?)s?\s+(?:or|and)\s+$/.exec(before)?.[1];
  return word !== undefined && isVerb(word);
}

/** The section's subject, save where "they" or "it" stands for a name in the words that open the sentence. */
function meantBy(
  pronoun: string,
  { text, refs }: Clause,
  opening: number,
  start: number,
  end: number,
): Subject {
  const isSaid = /^(?:it|they)$/i.test(pronoun);
  // "It" counts as a word before a verb, so that it joins two verbs: `creates a Charge, and it needs a Plan`.
  const isIt = isSaid || (pronoun === '' && /^it\b/i.test(text.slice(end, end + 3)));
  const isBehindOpening = isSaid || (isIt && start > opening);
  const isNamed = isBehindOpening && refs.some((ref) => ref.start >= opening && ref.end <= start);
  const isPointing = /^this$/i.test(pronoun);
  return isNamed ? { kind: 'unknown' } : { kind: 'implied', isSilent: pronoun === '', isPointing, isIt };
}

/** `**Fix**: the app must send …`: a name that labels a sentence is no subject of it where the sentence has one of its own. */
function skipLabel({ text, refs }: Clause, from: number, verbStart: number): number {
  const label = refs.find(({ start }) => start >= from);
  if (label === undefined || label.end > verbStart || /\w/.test(text.slice(from, label.start))) return from;
  const colon = /^.["'”’)]?\s*:\s|^:\s/.exec(text.slice(label.end - 1, label.end + 6));
  if (colon === null) return from;
  const behind = label.end - 1 + colon[0].length;
  const isOwn =
    /^\s*(?:(?:when|if|once|after|before)\s[^,;:]*,\s+)?(?:(?:the|each|every|your|our|all|new|previous)\s+\p{L}|\p{L}+\s+\p{L}+\s+(?:must|should|can|will)\b|\p{L}{3,}[^\P{L}su]s\s+$)/iu;
  const between = text.slice(behind, verbStart);
  return isOwn.test(between) && !/\b(?:that|which|who)\s+(?:\w+\s+)?$/i.test(between) ? behind : from;
}

/** `Responds with HTTP 201 on success, renders the cart`: who answers also does what follows. */
const STATUS_BEFORE =
  /^\s*(?:responds|replies|answers)\s+with\s+(?:an?\s+)?(?:HTTP\s+)?(?:status\s+)?(?:code\s+)?\d{3}\b[^,;:]{0,60}[,;]\s+(?:and\s+)?/i;

/** `On success, …`, `If a trial is set, …`: what stands before the comma is no subject. */
function skipAdverbial({ text, words }: Clause, from: number, verb: number): number {
  const status = STATUS_BEFORE.exec(text.slice(from, words[verb]?.start))?.[0];
  if (status !== undefined) return from + status.length;
  const first = words.findIndex(({ start }) => start >= from);
  const word = words[first];
  const region = text.slice(from, words[verb]?.start ?? from);
  if (word === undefined || first >= verb || !(ADVERBIAL.has(word.text) || WHENEVER.test(region)))
    return from;
  const comma = region.search(/[,:]\s/);
  if (comma !== -1) return from + comma + 2;
  if (word.text === 'note' && words[first + 1]?.text === 'that') return words[first + 1]?.end ?? from;
  return CONJUNCTION.has(word.text) ? word.end : from;
}

/** `the Roster shows when the label is part of …`, `asks which labels belong to …`: what stands behind a conjunction is the subject, and no name before it. */
function skipConjunction({ text, refs }: Clause, from: number, end: number): number {
  if (!refs.some((ref) => ref.start >= from && ref.end <= end)) return from;
  const asked = /^.*\swhich\s(?=\p{Ll}[\p{L}-]*[^s\P{L}]s\s*$)/u.exec(text.slice(from, end));
  if (asked !== null && !/^\s*(?:can|could|may|might|must|should)\b/i.test(text.slice(end, end + 10)))
    return from + asked[0].length;
  const named = refs.find((ref) => ref.end === end || text.slice(ref.end, end).trim() === '');
  if (named !== undefined && /\swhich\s+$/i.test(text.slice(from, named.start))) return named.start;
  const dashed = BEHIND_DASH.exec(text.slice(from, end));
  if (dashed !== null && isClauseBehindDash(dashed, from, refs) && !isParticiple(text, end))
    return from + (dashed[1]?.length ?? 0);
  const told = THAT_CLAUSE.exec(text.slice(from, end));
  if (told !== null && !FINITE.test(told[2] ?? '') && !JOINS.test(text.slice(end)))
    return from + (told[1]?.length ?? 0);
  const match =
    /^(.*\s(?:when|whenever|once|if|in\s+case|(?:each|every)\s+time|as\s+(?:soon|long)\s+as|because|while|until|unless|where|whether)\s)((?:an?|the|each|every|any|its|their|your|some|two|several|no)\s+[\p{L}\p{N}_-]+(?:\s+[\p{L}\p{N}_-]+){0,3})\s*$/iu.exec(
      text.slice(from, end),
    );
  if (match === null) return from;
  const [, before = '', phrase = ''] = match;
  if (FINITE.test(phrase) || !refs.some((ref) => ref.start >= from && ref.end <= from + before.length))
    return from;
  return from + before.length;
}

/** `Mugs that are made (with the Lister, the Oven or by hand) belong to …`: by what means, which is nobody. */
const IN_ASIDE =
  /\((?:using|via|through|with|without|by|for|from|in|on|at|such as|like|including|except|not|see|e\.g\.|for example|for instance)\b[^()]*$/i;

/** `Lister checks that the Mug belongs to …`, `Mugs that this hook triggers`: what stands behind "that", directly before the verb. */
const THAT_CLAUSE =
  /^(.*\s(?:that|which|whom)\s)((?:an?|the|this|these|each|every|any|all|its|their|your|our)\s+[\p{L}\p{N}_-]+(?:\s+[\p{L}\p{N}_-]+){0,3})\s*$/iu;

/** `that the potter sells and belongs to …`: a verb of its own stands behind "that", and what follows is told of the name before. */
const JOINS = /^\s*(?:and|or|but)\s/i;

/** `The Mug holds water — the rest lives in …`: a clause of its own. */
const BEHIND_DASH =
  /^((.*\s)(?:[—–]|-{1,3})\s+)((?:(?:the|this|these|each|every|any|all|its|their|your|our)\s+)?\p{Ll}[\p{L}\p{N}_-]*(?:\s+[\p{L}\p{N}_-]+){0,3})\s*$/u;

/** Directly behind a name a dash only tells what it is: `**Invoice** — a bill tied to …`. */
function isClauseBehindDash(
  [, , before = '', phrase = '']: RegExpExecArray,
  from: number,
  refs: readonly Ref[],
): boolean {
  const nameEnd = from + before.trimEnd().length;
  return (
    !FINITE.test(phrase) &&
    !/^(?:an?|also|then|\w+ly)\b|ed$/i.test(phrase) &&
    !refs.some(({ end }) => end === nameEnd)
  );
}

const FINITE =
  /\s(?:is|are|was|were|has|have|had|does|do|can|could|will|would|may|must|should|of|in|on|for|from|with|to|by|at|that|which|who)\s/i;

/** Where the auxiliaries and adverbs before a verb begin. */
function beforeAuxiliaries({ words }: Clause, verb: number, start: number): number {
  let at = verb;
  for (;;) {
    const [word, next] = [words[at - 1], words[at]];
    if (word === undefined || next === undefined || word.start < start || next.start - word.end > 2) break;
    const isAdverb = word.text.endsWith('ly') && !(word.capital && word.start > 0);
    if (!AUXILIARY.has(word.text) && !isAdverb) break;
    at -= 1;
  }
  return words[at]?.start ?? start;
}

/** A stretch of the text without white space and punctuation at its ends. */
function trimmed(text: string, start: number, end: number): string {
  let [from, to] = [start, end];
  while (from < to && !isWordCode(text.charCodeAt(from))) from += 1;
  while (to > from && !isWordCode(text.charCodeAt(to - 1))) to -= 1;
  return text.slice(from, to);
}

/** `…, which is when the Row was made by a Loader`: a name between a conjunction and the verb is whom the verb speaks of. */
function subjectOfClause({ text }: Clause, around: readonly Ref[], end: number): Ref | undefined {
  const last = around.at(-1);
  if (around.length < 2 || last === undefined || /\w/.test(text.slice(last.end, end))) return undefined;
  return BEGINS_CLAUSE.test(text.slice(Math.max(0, last.start - 40), last.start)) ? last : undefined;
}

const BEGINS_CLAUSE =
  /\s(?:when|whenever|once|if|because|while|since|until|unless|after|before|where|whether|how|why)\s+(?:(?:an?|the|this|that|each|every|any|its|their)\s+)?$/i;

/** `Every user of Fleet is a member of …`: the user is. */
const PERSON_OF =
  /\b(?:admin(?:istrator)?|author|buyer|creator|customer|developer|holder|maintainer|member|operator|owner|reader|user)s?\s+of\s+(?:(?:an?|the|this|each|every|any|your)\s+)?$/i;

/** The first name that is no qualifier of another word, with the names joined to it. */
function subjectRefs(clause: Clause, refs: readonly Ref[], start: number): Ref[] {
  const { text } = clause;
  const first = refs.findIndex((ref) => {
    if (/^['’]s?\s/.test(text.slice(ref.end, ref.end + 3))) return false;
    const before = text.slice(start, ref.start);
    if (PERSON_OF.test(before)) return false;
    return !/\b(?:on|in|at|for|from|with|to|by|under|within|via|about|into|against|between|per|as|through|than|using|unlike|including|without|alongside|besides|except|despite)\s+(?:(?:an?|the|its|their|this|that|each|every|any|all|your)\s+)?(?:\w+\s+)?$/i.test(
      before,
    );
  });
  const head = refs[first];
  if (head === undefined) return [];
  const heads = [head];
  for (let index = first + 1; index < refs.length; index += 1) {
    const [previous, next] = [refs[index - 1], refs[index]];
    if (previous === undefined || next === undefined) break;
    if (
      !/^(?:\s+(?:objects?|resources?))?\s*(?:,\s*(?:and|or)?|\band\b|\bor\b)\s*(?:(?:an?|the)\s+)?$/i.test(
        text.slice(previous.end, next.start),
      )
    )
      break;
    heads.push(next);
  }
  return heads;
}

/** What `creating` and `submitting` are without their ending; the shipping of a shipping option is done by nobody. */
function isVerbStem(stem: string): boolean {
  return isVerb(stem) || isVerb(`${stem}e`) || isVerb(stem.replace(/(\w)\1$/, '$1'));
}

/** `a canceled subscription`, `creating a charge`: up to four plain words. */
function plainSubject(clause: Clause, start: number, bare: string): Ref | undefined {
  const phrase = bare
    .replace(/\s+(?:in|under|within|of|for|on|from|with|at)\s.*$/i, '')
    .replace(/^(?:(?:an?|the|each|every|this|that|any|all|some|your|our|its)\s+)+/i, '')
    .replace(/^(\w+)ing\s+((?:an?|the|your)\s+)?(?=\w)/i, (words, stem: string, article?: string) =>
      article !== undefined || isVerbStem(stem) ? '' : words,
    );
  const label = bareName(phrase);
  if (!/^[\p{L}\p{N}\s_-]+$/u.test(label) || label.split(' ').length > 3 || !isName(label)) return undefined;
  if (label.split(' ').some((word) => STOP_WORDS.has(word.toLowerCase()))) return undefined;
  const at = clause.text.indexOf(phrase, start);
  return {
    key: conceptKeyOf(label),
    type: 'Concept',
    label,
    start: at,
    end: at + phrase.length,
    confidence: 0.1,
    declares: false,
    marked: false,
  };
}

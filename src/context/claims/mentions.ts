/** Finds the things that a sentence names, by their place among words that name nothing. In doubt, something counts as named. */
import { STOP_WORDS } from '../../words/stop-words.ts';

export type MentionNumber = 'singular' | 'plural' | 'unknown';

/** Something that a sentence names. */
export interface Mention {
  /** As it is written, with its article. */
  readonly text: string;
  /** Its last word, in lower case. */
  readonly head: string;
  readonly number: MentionNumber;
  /** Whether it surely is the subject with which the sentence begins. */
  readonly isSubject: boolean;
}

const TOKEN = /`[^`]+`|[\p{L}\p{N}_$@/{}*-]+(?:[.:/_][\p{L}\p{N}_{}*]+)*(?:['’]\p{L}+)?|[^\s\p{L}\p{N}]/gu;
const ONE = new Set(['a', 'an', 'each', 'every', 'one', 'another', 'this', 'that', 'no', 'any']);
const DETERMINERS = new Set([
  ...ONE,
  ...'the these those its their his her your our my some all both two three several many few most'.split(' '),
]);
const BE = new Set(['is', 'are', 'was', 'were', 'be', 'been', 'being']);
const OF_ONE = new Set(['is', 'was', 'has', 'does']);
const OF_MANY = new Set(['are', 'were', 'have', 'do']);
const MODALS = new Set(
  'can may might must will would shall should could do does did cannot never not to'.split(' '),
);
const AUXILIARIES = new Set(
  [...BE, ...MODALS, 'has', 'have', 'had'].filter((word) => !['to', 'not'].includes(word)),
);
/** Words that name nothing, in addition to stop words and adverbs. */
const FUNCTION_WORDS = new Set(
  `per via since across along among around behind beside besides beyond despite except inside like near onto outside throughout toward
  towards within yet however either neither both much many least less later earlier ago already always ever never still even soon often
  twice again first last next together away back instead else cannot would could might shall upon without unless although though whether
  new same own such very too`
    .split(/\s+/)
    .filter((word) => word !== ''),
);
const UNITS =
  /^(?:milliseconds?|ms|seconds?|minutes?|hours?|days?|weeks?|months?|years?|percent|%|times|bytes?|[kmgt]i?b|cents?|euros?|dollars?)$/i;
const MEASURING = new Set('a an one two three each every several many few'.split(' '));
const UNCERTAIN = /^(?:people|data|media|children|series|criteria|metadata|staff|police)$/i;
const MAX_WORDS = 5;

interface Token {
  readonly text: string;
  readonly lower: string;
  /** `name`: a code span or a dotted name. */
  readonly kind: 'name' | 'determiner' | 'number' | 'word' | 'function' | 'mark';
}

/** The mentions of a sentence in order. If the sentence has a subject that is easily recognized, that is the first. */
export function mentionsIn(sentence: string): Mention[] {
  const tokens = Array.from(sentence.matchAll(TOKEN), ({ 0: text }) => tokenOf(text));
  const subject = subjectOf(tokens);
  const rest = runsOf(tokens.slice(subject?.length ?? 0), subject !== undefined);
  return subject === undefined ? rest : [subject.mention, ...rest];
}

export function sameMention(one: Mention, other: Mention): boolean {
  return bare(one.text) === bare(other.text);
}

function tokenOf(text: string): Token {
  const lower = text.toLowerCase();
  return { text, lower, kind: kindOf(text, lower) };
}

function kindOf(text: string, lower: string): Token['kind'] {
  if (text.startsWith('`')) return 'name';
  if (!/[\p{L}\p{N}]/u.test(text)) return 'mark';
  if (/^\d/.test(text)) return 'number';
  if (/[._/:{}]/.test(text)) return 'name';
  if (DETERMINERS.has(lower)) return 'determiner';
  if (STOP_WORDS.has(lower) || FUNCTION_WORDS.has(lower) || AUXILIARIES.has(lower)) return 'function';
  return /\p{L}{2}ly$/u.test(lower) || /n['’]t$/.test(lower) ? 'function' : 'word';
}

/** What is before the first verb, if it is a single name with which the verb agrees. */
function subjectOf(
  tokens: readonly Token[],
): { readonly mention: Mention; readonly length: number } | undefined {
  const determiner = tokens[0]?.kind === 'determiner' ? tokens[0] : undefined;
  const from = determiner === undefined ? 0 : 1;
  let to = from;
  while (to < tokens.length && (tokens[to]?.kind === 'word' || tokens[to]?.kind === 'name')) to += 1;
  const next = tokens[to];
  const words = tokens.slice(from, to);
  if (next !== undefined && AUXILIARIES.has(next.lower)) return agreeing(determiner, words, next, to);
  const verb = words.pop();
  if (verb === undefined || verb.kind !== 'word') return undefined;
  // After "and" or "of", the verb comes later.
  const isJoined = next?.lower === 'and' || next?.lower === 'or' || next?.lower === 'of';
  return isJoined ? undefined : agreeing(determiner, words, verb, to - 1);
}

function agreeing(
  determiner: Token | undefined,
  words: readonly Token[],
  verb: Token,
  length: number,
): { readonly mention: Mention; readonly length: number } | undefined {
  if (words.length === 0 || words.length > MAX_WORDS) return undefined;
  const mention = mentionOf(determiner, words, { isSubject: true });
  const { number } = mention;
  const isName = words.at(-1)?.kind === 'name';
  // A single noun may be anything: the name of a thing, or a verb.
  if (number === 'unknown' || (determiner === undefined && number === 'singular' && !isName))
    return undefined;
  // In "The customer pays invoices" a word within is a verb.
  if (words.slice(0, -1).some(({ kind, lower }) => kind === 'word' && isPluralWord(lower))) return undefined;
  const saysOne = OF_ONE.has(verb.lower) || (!AUXILIARIES.has(verb.lower) && isPluralWord(verb.lower));
  const saysMany = OF_MANY.has(verb.lower) || (!AUXILIARIES.has(verb.lower) && !isPluralWord(verb.lower));
  const isOtherwise = number === 'singular' ? saysMany : saysOne;
  return isOtherwise ? undefined : { mention, length };
}

/** Runs of words that name something, each with its article. */
function runsOf(tokens: readonly Token[], isBehindSubject: boolean): Mention[] {
  const mentions: Mention[] = [];
  let run: Token[] = [];
  let determiner: Token | undefined;
  let before: Token | undefined;
  const end = (): void => {
    const plain = determiner === undefined ? withoutVerb(run, before) : run;
    const isMeasure =
      determiner !== undefined && MEASURING.has(determiner.lower) && UNITS.test(plain[0]?.text ?? '');
    if (plain.length > 0 && !isMeasure) mentions.push(mentionOf(determiner, plain, { isSubject: false }));
    run = [];
    determiner = undefined;
  };
  for (const [index, token] of tokens.entries()) {
    if (index === 0 && isBehindSubject && token.kind === 'word') {
      before = token;
      continue;
    }
    if (token.kind === 'word' || token.kind === 'name') {
      if (before?.kind === 'number' && run.length === 0 && UNITS.test(token.text)) before = token;
      else run.push(token);
      continue;
    }
    end();
    before = token;
    if (token.kind === 'determiner') determiner = token;
  }
  end();
  return mentions;
}

/** In "is kept" and "can retry", the word after the verb names nothing. */
function withoutVerb(run: readonly Token[], before: Token | undefined): readonly Token[] {
  if (before === undefined || run[0]?.kind !== 'word') return run;
  const isComplement = BE.has(before.lower) && run.length === 1;
  const isParticiple = BE.has(before.lower) && /(?:ed|en|ing)$/.test(run[0].lower);
  return isComplement || isParticiple || MODALS.has(before.lower) ? run.slice(1) : run;
}

function mentionOf(
  determiner: Token | undefined,
  words: readonly Token[],
  { isSubject }: Pick<Mention, 'isSubject'>,
): Mention {
  const last = words.at(-1);
  const head = last?.lower ?? '';
  const text = [...(determiner ? [determiner] : []), ...words].map((token) => token.text).join(' ');
  return { text, head, number: numberOf(determiner, last), isSubject };
}

function numberOf(determiner: Token | undefined, last: Token | undefined): MentionNumber {
  if (last === undefined || UNCERTAIN.test(last.lower)) return 'unknown';
  if (last.kind === 'name' || (determiner !== undefined && ONE.has(determiner.lower))) return 'singular';
  return isPluralWord(last.lower) ? 'plural' : 'singular';
}

/** Also true of a verb in the singular: "pays". */
function isPluralWord(word: string): boolean {
  return /s$/.test(word) && !/(?:ss|us|is)$/.test(word);
}

function bare(text: string): string {
  return text
    .toLowerCase()
    .replaceAll('`', '')
    .replace(/^(\S+)\s+(?=\S)/, (whole, first: string) => (DETERMINERS.has(first) ? '' : whole));
}

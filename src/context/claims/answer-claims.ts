/** Takes an answer apart into the claims that it makes. */
import { groupBy } from '../../core/group.ts';
import { beforeMark } from './before-mark.ts';
import { type MarkdownStatement, sentencesOf, statementsOf } from './markdown-statements.ts';
import { beginsWithPronoun, NamedBefore, withSubjects } from './pronouns.ts';

/** A place that an answer cites as a source. */
export interface Citation {
  /** The path as the answer has it, without `/docs/` or `docs/` before it. */
  readonly path: string;
  /** The line, 1-based; undefined if only the document is cited. */
  readonly line: number | undefined;
}

export interface Claim {
  /** A sentence, item or row, without markup and citations, and with its subject named. */
  readonly text: string;
  /** The line in the answer, 1-based. */
  readonly line: number;
  readonly citations: readonly Citation[];
}

const PATH = String.raw`(?:\.{0,2}/)?[\p{L}\p{N}_.@%~-]+(?:/[\p{L}\p{N}_.@%~ -]+)*\.(?:md|mdx|markdown|txt|rst|adoc)`;
const PLACE = new RegExp(
  `(?<path>${PATH})(?::(?<line>\\d+)(?:-\\d+)?)?(?:#(?:L(?<fragment>\\d+))?[\\w-]*)?`,
  'giu',
);
/** The forms of citations: `[charges/create.md:31]`, `(see docs/x.md:3, y.md:7)`, `【…】`, `[^1]`, `[2]`, `[label](x.md:3)`. */
const BRACKETED = new RegExp(
  `(?<!\\s)\\s*(?:\\[[^\\[\\]]*\\]\\([^()\\s]*${PATH}[^()\\s]*\\)|[\\[(【](?:(?:see|source|sources|from|cf\\.?|in|according to)[:\\s]+)?\`?${PATH}(?:[^\\[\\]()【】]*)[\\])】])`,
  'giu',
);
const FOOTNOTE = /(?<!\s)\s*(?:\[\^[\w-]+\]|\[\d{1,3}(?:\s*,\s*\d{1,3})*\](?!\())/g;
const SOURCE_LINE = /^\s*(?:[-*]\s*)?(?:\*\*)?(?:sources?|references?|see also|citations?)(?:\*\*)?\s*:/i;
const FOOTNOTE_LINE = /^\s*\[\^?[\w-]+\]:/;

const PREAMBLE =
  /^(?:(?:according to|based on|as (?:described|stated|explained|documented) in|per)\s+(?:the\s+)?[^,]{1,80},\s+|(?:in (?:short|summary|other words|general)|to summari[sz]e|note that|please note that|so|yes|overall|importantly|additionally|furthermore|also|moreover|however|finally|therefore|thus|hence)\s*[,:]\s+|yes[,.!]?\s+(?=\p{Lu}|\p{Ll}))/iu;
const HEDGE =
  /\b(?:i (?:do not|don['’]t|can ?not|can['’]t|could ?n[o'’]t|could not|am not|['’]m not)|i['’]m (?:not|un)|i am un|i (?:think|believe|guess|assume|suspect|suppose)|as far as i|not (?:sure|certain|clear|specified|documented|mentioned|stated|covered|described)\b(?! in (?:the )?response)|no (?:information|mention|details?|documentation|evidence)\b|(?:the|these|those|your|provided|given) (?:provided |given )?(?:sources?|docs?|documentation|documents?|context|text) (?:do(?:es)? not|don['’]t|doesn['’]t|says? nothing) (?:say|mention|specify|state|contain|include|describe|cover|provide|give|tell|explain|document|about)|un(?:clear|known|certain) (?:whether|if|how|what|why|from)|it (?:is|['’]s) (?:un(?:clear|known|certain)|possible|not clear)|it (?:seems|appears|might|may be)|perhaps|possibly|probably|presumably|might be|could be)\b/i;
const TALK =
  /^(?:sure|certainly|of course|great question|hope (?:this|that)|i hope|let me|feel free|here(?:['’]s| is| are)|below (?:is|are)|the following|in conclusion$|thanks?|you(?:['’]re| are) welcome|if you (?:have|need|want) (?:any|more|further)|for more|see (?:also )?(?:the )?|refer to|check (?:out )?the|i (?:can|will|['’]ll|would|found|checked|looked)|tl;?dr)\b/i;
/** Shorter items of a list mean nothing without the text that introduces the list. */
const MIN_WORDS_ALONE = 5;
const MIN_WORDS = 2;
const MAX_LENGTH = 1_000;
/** A statement of at least this many words does not use each of them as often as the next number. */
const MIN_WORDS_REPEATED = 9;
const MAX_REPEATS = 2.5;

/**
 * The claims of an answer in markdown, in order: sentences, items of lists and rows of tables, with what they cite. Code, headings, questions, hedges
 * ("I don't know", "it might be") and talk about the answer itself are not claims. A sentence whose subject is a pronoun is a claim only if the
 * sentences before it leave no doubt what the pronoun means. That is named in its place.
 */
export function claimsOf(answer: string): Claim[] {
  const { text, citations } = withoutCitations(answer);
  const claims: Claim[] = [];
  let before: { readonly place: string; readonly named: NamedBefore } | undefined;
  for (const statement of statementsOf(text)) {
    const place = statement.form === 'item' ? `item ${statement.line}` : `${statement.block}`;
    if (before?.place !== place) before = { place, named: new NamedBefore() };
    const plain = statement.form === 'code' ? '' : statement.text.replace(PREAMBLE, '').trim();
    const isShortEnough = plain.length <= MAX_LENGTH;
    const named = isShortEnough && beginsWithPronoun(plain) ? withSubjects(plain, before.named) : plain;
    before.named.add(named ?? plain);
    const said = named === undefined || named === '' ? undefined : claimText(named, statement);
    if (said === undefined || said.length > MAX_LENGTH) continue;
    claims.push({ text: said, line: statement.line, citations: citations.get(statement.line) ?? [] });
  }
  return distinct(claims);
}

function claimText(plain: string, { form, leadIn }: MarkdownStatement): string | undefined {
  if (
    beforeMark(plain, /[?？]/) !== undefined ||
    HEDGE.test(plain) ||
    TALK.test(plain) ||
    SOURCE_LINE.test(plain)
  )
    return undefined;
  if (form === 'sentence' && beforeMark(plain, /[:：]/) !== undefined) return undefined;
  const isShort = wordCount(plain) < MIN_WORDS_ALONE;
  const said =
    leadIn !== '' && (form === 'row' || isShort)
      ? `${beforeMark(leadIn, /[:：]/) ?? leadIn}: ${plain}`
      : plain;
  if (wordCount(said) < MIN_WORDS || isRepetition(said)) return undefined;
  return said.replace(/^\p{Ll}/u, (letter) => (/^\S*[._/(]/.test(said) ? letter : letter.toUpperCase()));
}

/** Whether a text says the same few words again and again, as a model does that has lost its way. */
function isRepetition(text: string): boolean {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.length >= MIN_WORDS_REPEATED && new Set(words).size * MAX_REPEATS < words.length;
}

function wordCount(text: string): number {
  return text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
}

/** The text with citations blanked out, line by line, and the citations of each line. */
function withoutCitations(answer: string): {
  text: string;
  citations: ReadonlyMap<number, readonly Citation[]>;
} {
  const found: { line: number; citation: Citation }[] = [];
  const lines = answer
    .replace(/\r\n?/g, '\n')
    .split('\n')
    .map((line, index) => {
      const bare = SOURCE_LINE.test(line) || FOOTNOTE_LINE.test(line);
      const take = (text: string): void => {
        for (const { groups } of text.matchAll(PLACE)) {
          const path = (groups?.['path'] ?? '').replace(/^(?:\.?\/)?(?:docs\/)?/, '');
          const line = groups?.['line'] ?? groups?.['fragment'];
          const place = line === undefined ? undefined : Number(line);
          found.push({ line: index + 1, citation: { path, line: place } });
        }
      };
      if (bare && PLACE.test(line)) {
        PLACE.lastIndex = 0;
        take(line);
        return '';
      }
      PLACE.lastIndex = 0;
      return line
        .replace(BRACKETED, (found: string) => {
          take(found);
          const label = /^\s*\[([^[\]]*)\]\(/.exec(found)?.[1];
          return label === undefined || new RegExp(PATH, 'iu').test(label) ? '' : ` ${label}`;
        })
        .replace(FOOTNOTE, '')
        .replace(/(?<!\s)\s+([.,;:!])/g, '$1');
    });
  const byLine = groupBy(found, ({ line }) => line);
  const citations = new Map(
    Array.from(byLine, ([line, ofLine]) => [line, unique(ofLine.map(({ citation }) => citation))]),
  );
  return { text: lines.join('\n'), citations };
}

function unique(citations: readonly Citation[]): Citation[] {
  return [...new Map(citations.map((one) => [`${one.path}:${one.line ?? ''}`, one])).values()];
}

/** Claims without repetitions. */
function distinct(claims: readonly Claim[]): Claim[] {
  const seen = new Set<string>();
  return claims.filter(({ text }) => {
    const key = canonicalText(text);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/** A form of a text that is the same for texts that differ only in case, white space and punctuation at their ends. */
export function canonicalText(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll('`', '')
    .replace(/[“”]/g, '"')
    .replace(/[‘’]/g, "'")
    .replace(/\s+/g, ' ')
    .replace(/^[\s.,;:!"']+|[\s.,;:!"']+$/g, '');
}

/** The parts of a claim that each say something: sentences, and what "and" or a semicolon joins. */
export function partsOf(text: string): string[] {
  return sentencesOf(text)
    .flatMap((sentence) =>
      sentence.split(
        /;\s+|,?\s+(?:and|but|while|whereas)\s+(?=(?:\p{L}+\s+){0,3}(?:is|are|was|were|has|have|had|can|may|must|will|do|does|cannot|never|not|it|they)\b)|,\s+(?:and|but|while|whereas)\s+/iu,
      ),
    )
    .map((part) => part.trim())
    .filter((part) => wordCount(part) >= MIN_WORDS);
}

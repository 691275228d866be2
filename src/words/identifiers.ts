/** Identifiers that join words with a sign, in code or as numbers of things: `skip_log`, `document.referrer`, `If-Match`, `ADR-0007`. */

/** The first word has no digit before a letter: a date, an address or a hash would begin like that. */
const IDENTIFIER = /(?<![A-Za-z0-9])[A-Za-z]+[0-9]*(?:[_.-][A-Za-z0-9]+)+/g;
/** Text that does not match this has no identifiers, which takes much less time to find out. */
const JOINED = /[A-Za-z0-9][_.-][A-Za-z0-9]/;
const SEPARATORS = /[_.-]/;
/** English words are joined in this way, too: "two-factor". */
const HYPHENATED = /^[A-Za-z]+(?:-[A-Za-z]+)+$/;
/** Replaces all of the signs in terms. It is not ASCII, since SQLite would split a term there. */
const JOINER = '·';
/** Longer ones are encoded data or addresses. */
const MAX_LENGTH = 40;

export interface Identifier {
  readonly term: string;
  /** Whether it can only be an identifier: no two words of English are written like this. */
  readonly isCode: boolean;
}

/** The identifiers of a text in order, each as one term. */
export function identifiersIn(text: string): Identifier[] {
  if (!JOINED.test(text)) return [];
  return Array.from(text.matchAll(IDENTIFIER), ([name]) => name)
    .filter(({ length }) => length <= MAX_LENGTH)
    .map((name) => ({
      term: identifierOf(name.toLowerCase().split(SEPARATORS)),
      isCode: !HYPHENATED.test(name),
    }));
}

/** The term of the identifier that consists of these words: `ADR-0007` is ADR-7. @param words in lower case */
export function identifierOf(words: readonly string[]): string {
  return words.map((word) => word.replace(/^0+(?=\d+$)/, '')).join(JOINER);
}

/** Makes `sha256` of SHA-256. */
export function inOneWord(term: string): string {
  return term.replaceAll(JOINER, '');
}

/** Whether a term is a whole identifier, which is there in addition to the terms of its words; for several terms, whether one of them is. */
export function isIdentifier(term: string): boolean {
  return term.includes(JOINER);
}

/** Identifiers whose words a sign joins, of code and of what people number: `skip_log`, `document.referrer`, `If-Match`, `ADR-0007`. */

/** The first word has no digit before a letter: what begins so is a date, an address or a hash. */
const IDENTIFIER = /(?<![A-Za-z0-9])[A-Za-z]+[0-9]*(?:[_.-][A-Za-z0-9]+)+/g;
/** Text without this has none, which is seen in a part of the time. */
const JOINED = /[A-Za-z0-9][_.-][A-Za-z0-9]/;
const SEPARATORS = /[_.-]/;
/** English words are joined so, too: "two-factor". */
const HYPHENATED = /^[A-Za-z]+(?:-[A-Za-z]+)+$/;
/** In terms, for any of the signs. It is not of ASCII, as SQLite would cut a term there. */
const JOINER = '·';
/** What is longer is an encoded blob or an address. */
const MAX_LENGTH = 40;

export interface Identifier {
  readonly term: string;
  /** Whether it is nothing but an identifier: no two words of English are written so. */
  readonly isCode: boolean;
}

/** Each as one term, in the order of the text. */
export function identifiersIn(text: string): Identifier[] {
  if (!JOINED.test(text)) return [];
  return Array.from(text.matchAll(IDENTIFIER), ([name]) => name)
    .filter(({ length }) => length <= MAX_LENGTH)
    .map((name) => ({
      term: identifierOf(name.toLowerCase().split(SEPARATORS)),
      isCode: !HYPHENATED.test(name),
    }));
}

/** The term of an identifier that is made of these words: `ADR-0007` is ADR-7. @param words in lower case */
export function identifierOf(words: readonly string[]): string {
  return words.map((word) => word.replace(/^0+(?=\d+$)/, '')).join(JOINER);
}

/** `sha256` of SHA-256. */
export function inOneWord(term: string): string {
  return term.replaceAll(JOINER, '');
}

/** Whether a term is a whole identifier, which stands beside the terms of its words; or whether one is among several terms. */
export function isIdentifier(term: string): boolean {
  return term.includes(JOINER);
}

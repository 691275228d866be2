/** Codes of letters and a number with a stroke between, as people give them to decisions, tickets, errors and algorithms: `ADR-0007`, `ERR_4012`, `SHA-256`. */

const CODE = /(?<![\p{L}\p{N}])([A-Za-z]{1,12})[-_](\d{1,8}(?:[-_]\d{1,8}){0,2})(?![\p{L}\p{N}])/gu;

/** A code as the one word that it is, too: a number alone, which other codes have as well, does not tell which one is meant. */
export interface Code {
  /** As it stands there, in lower case. */
  readonly word: string;
  /** Without strokes and leading zeros: `adr7`, and `cve2031x17` of `CVE-2031-0017`. */
  readonly term: string;
  /** As they stand there. */
  readonly numbers: readonly string[];
}

export function codesIn(text: string): Code[] {
  return Array.from(text.matchAll(CODE), ([whole, letters = '', rest = '']) => {
    const numbers = rest.split(/[-_]/);
    return { word: whole.toLowerCase(), term: codeTerm(letters, numbers), numbers };
  });
}

/** The term of a code, however its letters and numbers were written. */
export function codeTerm(letters: string, numbers: readonly string[]): string {
  return letters.toLowerCase() + numbers.map(withoutZeros).join('x');
}

/** Whether a number is one of those of a code. */
export function isNumberOf(term: string, code: string): boolean {
  return /^\d+$/.test(term) && code.match(/\d+/g)?.includes(withoutZeros(term)) === true;
}

function withoutZeros(number: string): string {
  return number.replace(/^0+(?=\d)/, '');
}

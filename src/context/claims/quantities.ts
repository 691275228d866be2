/** Numbers of a text with their units, so that "two days" and "48 hours" are the same and "24 hours" is not. */

export interface Quantity {
  /** The value in the unit of its dimension; never NaN. */
  readonly value: number;
  /** `time`, `months`, `bytes`, `percent`, `money`, `ordinal`, `date`, `version`; else the stem of what is counted, empty for a bare number. */
  readonly dimension: string;
  /** The offset in the text, in characters. */
  readonly start: number;
  readonly end: number;
}

const TIME_SECONDS: Readonly<Record<string, number>> = {
  ms: 0.001,
  millisecond: 0.001,
  s: 1,
  sec: 1,
  second: 1,
  min: 60,
  minute: 60,
  h: 3600,
  hr: 3600,
  hour: 3600,
  d: 86_400,
  day: 86_400,
  week: 604_800,
};
const MONTHS: Readonly<Record<string, number>> = { month: 1, quarter: 3, year: 12 };
const BYTES: Readonly<Record<string, number>> = {
  byte: 1,
  kb: 1e3,
  kib: 1024,
  mb: 1e6,
  mib: 1024 ** 2,
  gb: 1e9,
  gib: 1024 ** 3,
  tb: 1e12,
  tib: 1024 ** 4,
};
const MONEY = /^(?:eur|usd|gbp|chf|jpy|euros?|dollars?|pounds?|cents?|[€$£¥])$/i;

const NUMBER_WORDS: Readonly<Record<string, number>> = Object.fromEntries(
  `zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty`
    .split(' ')
    .map((word, value) => [word, value]),
);
const TENS: Readonly<Record<string, number>> = {
  thirty: 30,
  forty: 40,
  fifty: 50,
  sixty: 60,
  seventy: 70,
  eighty: 80,
  ninety: 90,
  hundred: 100,
  thousand: 1000,
  million: 1e6,
};
const ORDINALS = [
  'first',
  'second',
  'third',
  'fourth',
  'fifth',
  'sixth',
  'seventh',
  'eighth',
  'ninth',
  'tenth',
];

const DIGITS = String.raw`\d{4}-\d\d-\d\d|\d+(?:\.\d+){2,}|\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?`;
const WORDS = [...Object.keys(NUMBER_WORDS), ...Object.keys(TENS)].join('|');
/** A currency sign, the number, and the word or sign after it. A number in a name such as `ch_8Kq2` or `v1` does not match. */
const NUMBER = new RegExp(
  `(?<![\\p{L}\\p{N}_./-])(?<sign>[€$£¥])?(?:(?<digits>${DIGITS})|(?<word>${WORDS})\\b)(?:st\\b|nd\\b|rd\\b|th\\b)?(?<unit>\\s?[%€$£]|[-\\s]?[\\p{L}]+)?(?<second>\\s[\\p{L}]+)?`,
  'giu',
);
const ORDINAL = new RegExp(
  `(?<before>\\b(?:a|per|every|each|one|\\d+)\\s+)?\\b(?<word>${ORDINALS.join('|')})\\b(?!s)`,
  'giu',
);
const TWICE =
  /\b(?:twice|once(?=\s*(?:[.,;:)]|$|(?:a|per|every|for)\b))|an?\s+(?<unit>second|minute|hour|day|week|month|year))\b/giu;

/** Words between a number and what it counts: "five working days". */
const ADJECTIVES = new Set([
  'working',
  'business',
  'calendar',
  'more',
  'other',
  'additional',
  'further',
  'different',
  'consecutive',
  'separate',
]);
const NO_UNITS = new Set(
  'a an and or to of in on at by for from is are was were be been the if then than with as but per each every it that which who not no can may will'.split(
    ' ',
  ),
);

export function quantitiesOf(text: string): Quantity[] {
  const found: Quantity[] = [];
  for (const match of text.matchAll(NUMBER)) {
    const quantity = numberIn(match, text);
    if (quantity !== undefined) found.push(quantity);
  }
  for (const match of text.matchAll(ORDINAL)) {
    const { before, word = '' } = match.groups ?? {};
    if (before !== undefined && word.toLowerCase() === 'second') continue;
    const start = match.index + (before?.length ?? 0);
    found.push({
      value: ORDINALS.indexOf(word.toLowerCase()) + 1,
      dimension: 'ordinal',
      start,
      end: start + word.length,
    });
  }
  return found.sort((a, b) => a.start - b.start);
}

/** Quantities that words of a source imply without a number: "an hour", "twice". */
export function impliedQuantitiesOf(text: string): Quantity[] {
  return Array.from(text.matchAll(TWICE), (match) => {
    const start = match.index;
    const end = start + match[0].length;
    const unit = match.groups?.['unit'];
    if (unit !== undefined) return { ...inUnit(1, unit), start, end };
    return { value: match[0].toLowerCase() === 'twice' ? 2 : 1, dimension: 'occasion', start, end };
  });
}

/** Whether two quantities can be compared, so that different values contradict each other. */
export function isComparable(a: Quantity, b: Quantity): boolean {
  const [one, other] = [a.dimension, b.dimension].map((dimension) =>
    dimension === 'months' ? 'time' : dimension,
  );
  return one === other;
}

export function isSame(a: Quantity, b: Quantity): boolean {
  if (a.value !== b.value) return false;
  if (a.dimension === b.dimension) return true;
  // "limit: 20" and "20 rows" can be, since what is counted is compared by its words.
  return !isMeasured(a) && !isMeasured(b);
}

/** Whether it measures something, rather than counting things. */
export function isMeasured({ dimension }: Quantity): boolean {
  return ['time', 'months', 'bytes', 'percent', 'money', 'ordinal', 'date', 'version', 'occasion'].includes(
    dimension,
  );
}

function numberIn(match: RegExpExecArray, text: string): Quantity | undefined {
  const { sign, digits, word, unit = '', second = '' } = match.groups ?? {};
  const start = match.index;
  const written = (sign ?? '').length + (digits ?? word ?? '').length;
  const end = start + written;
  if (digits !== undefined && /^\d{4}-\d\d-\d\d$/.test(digits))
    return { value: Number(digits.replaceAll('-', '')), dimension: 'date', start, end };
  if (digits !== undefined && /\..*\./.test(digits))
    return { value: hashOf(digits), dimension: 'version', start, end };
  const value = digits === undefined ? wordValue(word ?? '') : Number(digits.replaceAll(',', ''));
  const unitWord = unitOf(unit, second);
  if (
    word?.toLowerCase() === 'one' &&
    !isCounted(unitWord, text.slice(Math.max(0, start - LONGEST_BEFORE), start))
  )
    return undefined;
  // "5xx" and "2nd edition" are names, not amounts.
  if (/^\p{L}/u.test(unit) && digits !== undefined && !isUnit(unit.toLowerCase())) return undefined;
  if (sign !== undefined) return { value, dimension: 'money', start, end };
  const quantity = { ...inUnit(value, unitWord), start, end };
  if (!isMeasured(quantity)) return quantity;
  // The unit then is part of the number, and not a word of its own.
  const behind = text.slice(end, start + match[0].length).toLowerCase();
  return { ...quantity, end: end + behind.indexOf(unitWord) + unitWord.length };
}

/** Longer than the longest word below with the space after it. */
const LONGEST_BEFORE = 16;

/** "one hour" counts something; "one of them" and "each one" do not. */
function isCounted(unit: string, before: string): boolean {
  return unit !== '' && !/\b(?:the|this|that|each|every|no|another|any|which)\s+$/i.test(before);
}

function unitOf(unit: string, second: string): string {
  const [first, next] = [unit, second].map((text) => text.trim().replace(/^-/, '').toLowerCase());
  const word = first !== undefined && ADJECTIVES.has(first) ? (next ?? '') : (first ?? '');
  return NO_UNITS.has(word) ? '' : word;
}

function isUnit(word: string): boolean {
  return singular(word) in TIME_SECONDS || word in BYTES || MONEY.test(word) || word === '%';
}

function inUnit(value: number, unit: string): Pick<Quantity, 'value' | 'dimension'> {
  const one = singular(unit);
  const seconds = TIME_SECONDS[one];
  if (seconds !== undefined) return { value: rounded(value * seconds), dimension: 'time' };
  const months = MONTHS[one];
  if (months !== undefined) return { value: value * months, dimension: 'months' };
  const bytes = BYTES[one];
  if (bytes !== undefined) return { value: value * bytes, dimension: 'bytes' };
  if (unit === '%' || one === 'percent') return { value, dimension: 'percent' };
  if (MONEY.test(unit)) return { value, dimension: 'money' };
  if (one === 'time') return { value, dimension: 'occasion' };
  return { value, dimension: one };
}

function singular(word: string): string {
  return word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
}

function rounded(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}

function wordValue(word: string): number {
  const one = word.toLowerCase();
  return NUMBER_WORDS[one] ?? TENS[one] ?? 0;
}

/** Versions and addresses are either the same or different: neither is more than the other. */
function hashOf(text: string): number {
  return [...text].reduce((hash, character) => (hash * 31 + character.charCodeAt(0)) % 2_147_483_647, 7);
}

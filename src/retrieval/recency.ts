import { MS_PER_DAY } from '../core/clock.ts';

/** What a question says about time: from a moment (inclusive) until another one (exclusive). Without both, it only asks for the latest. */
export interface AskedTime {
  readonly fromMs?: number;
  readonly toMs?: number;
}

const LATEST =
  /\b(?:latest|newest|most recent(?:ly)?|recent(?:ly)?|lately|last changed?|(?:has|have|is|was|been) (?:updated|changed)|what(?:'s| is| has)? (?:new|changed)|up[- ]to[- ]date|current(?:ly)? state)\b/i;
const SPAN = /\b(?:last|past|this|previous) (?:(\d{1,3}) )?(day|week|month|year)s?\b/i;
const AGO = /\b(\d{1,3}|a|an|one|two|three) (day|week|month|year)s? ago\b/i;
const RELATIVE = /\b(?:today|yesterday|ago|last|past|this|previous)\b/i;
const DATE = /\b(\d{4})-(\d{2})(?:-(\d{2}))?\b/;
const DAYS: Readonly<Record<string, number>> = { day: 1, week: 7, month: 31, year: 366 };
const NUMBERS: Readonly<Record<string, number>> = { a: 1, an: 1, one: 1, two: 2, three: 3 };

/**
 * The time that a question asks for; undefined if it does not ask for any.
 * @param newestMs gets the time of the newest source: answers do not depend on when a question is asked
 */
export function askedTime(question: string, newestMs: () => number): AskedTime | undefined {
  const date = DATE.exec(question);
  if (date !== null) return calendar(date);
  if (LATEST.test(question)) return {};
  return RELATIVE.test(question)
    ? fromToday(question, Math.floor(newestMs() / MS_PER_DAY) * MS_PER_DAY)
    : undefined;
}

function fromToday(question: string, today: number): AskedTime | undefined {
  if (/\byesterday\b/i.test(question)) return { fromMs: today - MS_PER_DAY, toMs: today };
  if (/\btoday\b/i.test(question)) return { fromMs: today, toMs: today + MS_PER_DAY };
  const ago = AGO.exec(question);
  if (ago !== null) {
    const days = (NUMBERS[(ago[1] ?? '').toLowerCase()] ?? Number(ago[1])) * daysOf(ago[2]);
    const slack = Math.ceil(daysOf(ago[2]) / 2) * MS_PER_DAY;
    return {
      fromMs: today - days * MS_PER_DAY - slack,
      toMs: today - days * MS_PER_DAY + slack + MS_PER_DAY,
    };
  }
  const span = SPAN.exec(question);
  if (span !== null)
    return { fromMs: today - Number(span[1] ?? 1) * daysOf(span[2]) * MS_PER_DAY, toMs: today + MS_PER_DAY };
  return undefined;
}

function daysOf(unit: string | undefined): number {
  return DAYS[(unit ?? '').toLowerCase()] ?? 1;
}

function calendar([, year, month, day]: RegExpExecArray): AskedTime | undefined {
  const fromMs = Date.UTC(Number(year), Number(month) - 1, Number(day ?? 1));
  const toMs = day === undefined ? Date.UTC(Number(year), Number(month), 1) : fromMs + MS_PER_DAY;
  return Number(month) >= 1 && Number(month) <= 12 ? { fromMs, toMs } : undefined;
}

/**
 * Orders items by how well their time fits: those within the span, the latest first; without a span, simply the latest first. Items that do not fit
 * are left out.
 */
export function byTime<Item>(
  items: readonly Item[],
  { fromMs, toMs }: AskedTime,
  dateOf: (item: Item) => number,
): Item[] {
  const dated = items.map((item) => ({ item, dateMs: dateOf(item) }));
  const fitting = dated.filter(
    ({ dateMs }) =>
      dateMs >= (fromMs ?? Number.NEGATIVE_INFINITY) && dateMs < (toMs ?? Number.POSITIVE_INFINITY),
  );
  return fitting.sort((a, b) => b.dateMs - a.dateMs).map(({ item }) => item);
}

/** Finds which numbers of a claim a statement has, and for the same things. */
import { stemOf } from '../../words/tokens.ts';
import { isComparable, isMeasured, isSame, type Quantity } from './quantities.ts';
import type { StatementWords } from './words-of-statement.ts';

export interface Numbers {
  readonly asked: number;
  readonly found: number;
  /** Whether a number of the claim is missing, while another one is in its place. */
  readonly differs: boolean;
  /** The same, if nothing says what the two numbers count. */
  readonly mayDiffer: boolean;
}

export function matchQuantities(claim: StatementWords, source: StatementWords): Numbers {
  const there = [...source.quantities, ...source.implied];
  const missing = claim.quantities.filter((asked) => !there.some((one) => isSame(asked, one)));
  const isAnswered = (asked: Quantity) =>
    source.quantities.some(
      (one) => isComparable(asked, one) || (!isMeasured(asked) && !isMeasured(one) && one.dimension === ''),
    );
  const misplaced = claim.quantities.some(
    (asked) => !missing.includes(asked) && isMisplaced(asked, claim, source),
  );
  return {
    asked: claim.quantities.length,
    found: claim.quantities.length - missing.length - (misplaced ? 1 : 0),
    differs: missing.some(isAnswered) || misplaced,
    mayDiffer: missing.some(
      (asked) => !isMeasured(asked) && source.quantities.some((one) => !isMeasured(one)),
    ),
  };
}

/** Whether the number occurs, but for something else: another number of its kind is closer to the words that the claim has around it. */
function isMisplaced(asked: Quantity, claim: StatementWords, source: StatementWords): boolean {
  const rivals = source.quantities.filter((one) => isComparable(asked, one));
  if (rivals.length < 2 || claim.quantities.length > 1) return false;
  const stems = new Set(claim.words.filter(({ isContent }) => isContent).map(({ stem }) => stem));
  const scored = rivals.map((one) => ({ one, shared: sharedAround(one, source, stems, rivals) }));
  const best = Math.max(...scored.map(({ shared }) => shared));
  const own = Math.max(...scored.filter(({ one }) => isSame(asked, one)).map(({ shared }) => shared));
  return own < best;
}

/** How many of the stems occur in the part of the text that belongs to a number, up to the next comma, "and", or number of its kind. */
function sharedAround(
  quantity: Quantity,
  { text }: StatementWords,
  stems: ReadonlySet<string>,
  rivals: readonly Quantity[],
): number {
  const before = rivals.filter(({ end }) => end <= quantity.start).at(-1)?.end ?? 0;
  const after = rivals.find(({ start }) => start >= quantity.end)?.start ?? text.length;
  const left =
    text
      .slice(before, quantity.start)
      .split(/[,;|]|\band\b|\bthen\b|\bbut\b/)
      .at(-1) ?? '';
  const right = text.slice(quantity.end, after).split(/[,;|]|\band\b|\bthen\b|\bbut\b/)[0] ?? '';
  const words = `${left} ${right}`.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return new Set(words.map(stemOf).filter((stem) => stems.has(stem))).size;
}

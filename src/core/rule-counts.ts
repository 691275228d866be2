/**
 * How far a rule of extraction is believed, by what was judged of the edges that it made. Each judgement is one trial: a Beta prior at the
 * confidence that the rule has by itself, so a rule of which nothing was judged keeps it.
 */

/** How often what a rule read was confirmed, and how often rejected. */
export interface RuleCounts {
  readonly confirmed: number;
  readonly rejected: number;
}

/** By the code of the rule, see `Statement.rule`. */
export type CountsByRule = Readonly<Record<string, RuleCounts>>;

/** The confidence of a rule counts as so many judgements. */
const PRIOR_JUDGEMENTS = 12;
/** More judgements weigh no more than so many: what is judged later can still turn a rule round. */
const MAX_JUDGEMENTS = 60;
/** Nothing is driven to 0 or 1. */
const LOWEST = 0.05;
const HIGHEST = 0.99;

/**
 * @param confidence what the rule says of itself, from 0 to 1
 * @returns between 0.05 and 0.99, or `confidence` itself where nothing was judged or it lies beyond and was only confirmed; in hundredths
 */
export function learntConfidence(confidence: number, counts: RuleCounts | undefined): number {
  const total = counts === undefined ? 0 : counts.confirmed + counts.rejected;
  if (counts === undefined || total === 0) return confidence;
  const share = Math.min(1, MAX_JUDGEMENTS / total);
  const confirmed = PRIOR_JUDGEMENTS * confidence + counts.confirmed * share;
  const learnt = Math.round((confirmed / (PRIOR_JUDGEMENTS + total * share)) * 100) / 100;
  return Math.max(Math.min(LOWEST, confidence), Math.min(Math.max(HIGHEST, confidence), learnt));
}

/** Two are the same counts exactly where their texts are. Rules of which nothing was judged are left out. */
export function countsText(counts: CountsByRule): string {
  const judged = Object.entries(counts).filter(([, { confirmed, rejected }]) => confirmed + rejected > 0);
  const inOrder = judged.sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify(
    Object.fromEntries(inOrder.map(([rule, { confirmed, rejected }]) => [rule, { confirmed, rejected }])),
  );
}

/** Of a text that `countsText` made. */
export function countsOf(text: string | undefined): CountsByRule {
  return text === undefined ? {} : JSON.parse(text);
}

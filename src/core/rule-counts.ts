/**
 * How far an extraction rule is believed, by what was judged of the edges that it made. Each judgement is one trial for a Beta prior, which lies at
 * the rule's own confidence: a rule of which nothing was judged keeps that.
 */

/** How often what a rule read was confirmed, and how often rejected. */
export interface RuleCounts {
  readonly confirmed: number;
  readonly rejected: number;
}

/** Counts by the code of a rule, see `Statement.rule`. */
export type CountsByRule = Readonly<Record<string, RuleCounts>>;

/** The rule's own confidence counts as much as so many judgements. */
const PRIOR_JUDGEMENTS = 12;
/** Judgements weigh no more than so many in all, so that later ones can still change the result. */
const MAX_JUDGEMENTS = 60;
/** No confidence is driven to 0 or 1. */
const LOWEST = 0.05;
const HIGHEST = 0.99;

/**
 * The confidence of a rule after what was judged of it.
 * @param confidence the rule's own, from 0 to 1
 * @returns a value in hundredths between 0.05 and 0.99; a `confidence` beyond those bounds extends them, and if nothing was judged it is returned as it is
 */
export function learntConfidence(confidence: number, counts: RuleCounts | undefined): number {
  const total = counts === undefined ? 0 : counts.confirmed + counts.rejected;
  if (counts === undefined || total === 0) return confidence;
  const share = Math.min(1, MAX_JUDGEMENTS / total);
  const confirmed = PRIOR_JUDGEMENTS * confidence + counts.confirmed * share;
  const learnt = Math.round((confirmed / (PRIOR_JUDGEMENTS + total * share)) * 100) / 100;
  return Math.max(Math.min(LOWEST, confidence), Math.min(Math.max(HIGHEST, confidence), learnt));
}

/** The counts as a text, which is equal for equal counts. Rules of which nothing was judged are left out. */
export function countsText(counts: CountsByRule): string {
  const judged = Object.entries(counts).filter(([, { confirmed, rejected }]) => confirmed + rejected > 0);
  const inOrder = judged.sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify(
    Object.fromEntries(inOrder.map(([rule, { confirmed, rejected }]) => [rule, { confirmed, rejected }])),
  );
}

/** The counts in a text that `countsText` made. */
export function countsOf(text: string | undefined): CountsByRule {
  return text === undefined ? {} : JSON.parse(text);
}

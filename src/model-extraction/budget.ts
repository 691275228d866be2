import type { Usage } from '../agent/chat-model.ts';
import { costOf, type ModelPrice, TOKENS_OF_PRICE } from '../settings/language-model.ts';

/** What all requests together may use. */
export interface BudgetLimits {
  /** US dollars. */
  readonly maxCostUsd?: number | undefined;
  /** Input and output together. */
  readonly maxTokens?: number | undefined;
  /** US dollars for a million tokens. */
  readonly price?: ModelPrice | undefined;
}

/** What a request may use, taken from the budget until it is answered. */
export interface Reservation {
  readonly inputTokens: number;
  /** The maximal length of the answer. */
  readonly outputTokens: number;
  /** The limit that does not allow a longer answer; undefined if the usual maximum applies. */
  readonly shortenedBy?: Limit | undefined;
}

export type Limit = 'max_cost' | 'max_tokens';

/** The maximal length of an answer to one piece. */
const MAX_OUTPUT_TOKENS = 4000;
/** A shorter maximum is not worth a request. */
const MIN_OUTPUT_TOKENS = 200;

/** Counts what was used, and what running requests may still cost: nothing is sent that could exceed a limit. */
export class Budget {
  readonly #limits: BudgetLimits;
  readonly #reserved = new Set<Reservation>();
  /** The longest answer so far: APIs need not respect the maximum. */
  #longestOutput = 0;
  inputTokens = 0;
  outputTokens = 0;
  #costUsd = 0;
  /** The number of answers with unknown cost. */
  #unpriced = 0;

  constructor(limits: BudgetLimits) {
    this.#limits = limits;
  }

  /** US dollars; undefined if some costs are not known. */
  get costUsd(): number | undefined {
    return this.#unpriced > 0 ? undefined : this.#costUsd;
  }

  /** A reservation; `wait` if running requests may leave enough; the limit that is reached if there are none and not enough is left. */
  reserve(inputTokens: number): Reservation | 'wait' | Limit {
    const { maxTokens, maxCostUsd, price } = this.#limits;
    let outputTokens = MAX_OUTPUT_TOKENS;
    let limit: Limit = 'max_tokens';
    if (maxTokens !== undefined) {
      const left = maxTokens - this.inputTokens - this.outputTokens - this.#sum(tokensOf);
      outputTokens = Math.min(outputTokens, left - inputTokens);
    }
    if (maxCostUsd !== undefined && price !== undefined) {
      const spent = this.#costUsd + this.#sum((one) => costOf(one, price));
      const leftUsd = maxCostUsd - spent - costOf({ inputTokens, outputTokens: 0 }, price);
      const affordable = tokensFor(leftUsd, price.output);
      if (affordable < outputTokens) limit = 'max_cost';
      outputTokens = Math.min(outputTokens, affordable);
    }
    if (outputTokens < Math.max(MIN_OUTPUT_TOKENS, this.#longestOutput))
      return this.#reserved.size > 0 ? 'wait' : limit;
    const shortenedBy = outputTokens < MAX_OUTPUT_TOKENS ? limit : undefined;
    const reservation = { inputTokens, outputTokens, shortenedBy };
    this.#reserved.add(reservation);
    return reservation;
  }

  /**
   * To be called when the request is over.
   * @param spent what it has used; `unknown` counts as all that it could have; undefined if it has used nothing
   * @returns US dollars, if they are known
   */
  settle(reservation: Reservation, spent: Usage | 'unknown' | undefined): number | undefined {
    this.#reserved.delete(reservation);
    if (spent === undefined) return undefined;
    const usage = spent === 'unknown' ? reservation : spent;
    this.inputTokens += usage.inputTokens;
    this.outputTokens += usage.outputTokens;
    if (spent !== 'unknown')
      this.#longestOutput = Math.max(this.#longestOutput, Math.min(spent.outputTokens, MAX_OUTPUT_TOKENS));
    const { price } = this.#limits;
    const costUsd = (spent === 'unknown' ? undefined : spent.costUsd) ?? (price && costOf(usage, price));
    if (costUsd === undefined) this.#unpriced += 1;
    else this.#costUsd += costUsd;
    return costUsd;
  }

  #sum(of: (reservation: Reservation) => number): number {
    let sum = 0;
    for (const reservation of this.#reserved) sum += of(reservation);
    return sum;
  }
}

function tokensOf({ inputTokens, outputTokens }: Reservation): number {
  return inputTokens + outputTokens;
}

/** How many tokens of this price the amount is enough for. */
function tokensFor(usd: number, price: number): number {
  if (price === 0) return usd < 0 ? 0 : Number.POSITIVE_INFINITY;
  return Math.floor((usd * TOKENS_OF_PRICE) / price);
}

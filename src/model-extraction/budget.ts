import type { Usage } from '../agent/chat-model.ts';
import { costOf, type ModelPrice, TOKENS_OF_PRICE } from '../settings/language-model.ts';

/** What may be spent, all together. */
export interface BudgetLimits {
  /** US dollars. */
  readonly maxCostUsd?: number | undefined;
  /** Input and output together. */
  readonly maxTokens?: number | undefined;
  /** US dollars for a million tokens. */
  readonly price?: ModelPrice | undefined;
}

/** What a request may need, taken out of the budget until it is answered. */
export interface Reservation {
  readonly inputTokens: number;
  /** The answer is to be no longer. */
  readonly outputTokens: number;
  /** The limit that leaves it no more; undefined where it may be as long as any. */
  readonly shortenedBy?: Limit | undefined;
}

export type Limit = 'max_cost' | 'max_tokens';

/** Longest answer to one piece. */
const MAX_OUTPUT_TOKENS = 4000;
/** An answer that may be no longer is not worth asking for. */
const MIN_OUTPUT_TOKENS = 200;

/** Counts what was spent, and what requests under way may still cost: nothing is sent that could exceed a limit. */
export class Budget {
  readonly #limits: BudgetLimits;
  readonly #reserved = new Set<Reservation>();
  /** Of one answer: APIs need not keep to what they are told. */
  #longestOutput = 0;
  inputTokens = 0;
  outputTokens = 0;
  #costUsd = 0;
  /** Answers of which nobody said what they cost. */
  #unpriced = 0;

  constructor(limits: BudgetLimits) {
    this.#limits = limits;
  }

  /** US dollars; undefined where some of it is not known. */
  get costUsd(): number | undefined {
    return this.#unpriced > 0 ? undefined : this.#costUsd;
  }

  /** The reservation; `wait` where requests under way may leave enough; the limit that is reached where none is and there is not enough. */
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
   * The request is over.
   * @param spent what it took; `unknown` counts as all that it could have; undefined where it took nothing
   * @returns US dollars, where they are known
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

/** How many tokens of this price there are for so much. */
function tokensFor(usd: number, price: number): number {
  if (price === 0) return usd < 0 ? 0 : Number.POSITIVE_INFINITY;
  return Math.floor((usd * TOKENS_OF_PRICE) / price);
}

import { MAX_BUDGET_TOKENS } from '../settings/context.ts';

export interface AskedQuestion {
  /** The question without the part about the budget. */
  readonly question: string;
  readonly budgetTokens?: number;
}

const BUDGET = /(?:^|\s)budget:(\d{1,9})(?=\s|$)/gi;

/** Reads how many tokens a question allows its context, as in `budget:1500`. The last one counts, and a number that cannot be a budget is text. */
export function askedBudget(text: string): AskedQuestion {
  let budgetTokens: number | undefined;
  const question = text.replace(BUDGET, (item, digits: string) => {
    const tokens = Number(digits);
    if (tokens < 1 || tokens > MAX_BUDGET_TOKENS) return item;
    budgetTokens = tokens;
    return '';
  });
  return budgetTokens === undefined ? { question: text } : { question: question.trim(), budgetTokens };
}

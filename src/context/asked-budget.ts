import { MAX_BUDGET_TOKENS } from '../settings/context.ts';

export interface AskedQuestion {
  /** Without what it says of the budget. */
  readonly question: string;
  readonly budgetTokens?: number;
}

const BUDGET = /(?:^|\s)budget:(\d{1,9})(?=\s|$)/gi;

/** A question that may say how many tokens its context may take, as `budget:1500`; the last one counts, and a number that is no budget is text. */
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

import type { LabelledQuestion } from './labelled.ts';
import type { PlainSection } from './plain.ts';

/** How much context is needed to contain the answers. */
export interface ContextFigures {
  readonly way: string;
  readonly budgets: readonly number[];
  /** The share of the questions that are answered within each budget, 0 to 1. */
  readonly answered: readonly number[];
  /** The smallest budget that contains the answer, for each question that has one. */
  readonly tokens: readonly number[];
}

/** Makes a context for a question within a budget. */
export type Builder = (question: string, budgetTokens: number) => Promise<string>;

export type Count = (text: string) => number;

const BUDGETS = [250, 500, 1000, 2000, 4000, 8000];

/** Finds for each question the smallest budget whose context holds all lines of the answer. */
export async function contextFigures(
  way: string,
  questions: readonly LabelledQuestion[],
  build: Builder,
  count: Count,
): Promise<ContextFigures> {
  const enough: number[] = [];
  const tokens: number[] = [];
  for (const { question, answers } of questions) {
    for (const budget of BUDGETS) {
      const context = await build(question, budget);
      if (!answers.every(({ holds }) => holds !== undefined && context.includes(holds))) continue;
      enough.push(budget);
      tokens.push(count(context));
      break;
    }
  }
  return {
    way,
    budgets: BUDGETS,
    answered: BUDGETS.map((budget) => enough.filter((one) => one <= budget).length / questions.length),
    tokens,
  };
}

/** The baseline: the best sections of a plain search, one after another, as long as they fit. */
export function plainBuilder(search: (question: string) => readonly PlainSection[], count: Count): Builder {
  return (question, budgetTokens) => {
    const chosen: string[] = [];
    let left = budgetTokens;
    for (const { text } of search(question)) {
      const tokens = count(text) + 1;
      if (tokens > left) break;
      chosen.push(text);
      left -= tokens;
    }
    return Promise.resolve(chosen.join('\n'));
  };
}

/** Problems of contexts for many questions, each with a random budget. */
export interface BudgetChecks {
  readonly questions: number;
  readonly overBudget: number;
  /** How many differed when they were built again. */
  readonly different: number;
}

const LEAST_BUDGET = 1;
const MOST_BUDGET = 8000;

export async function checkBudgets(
  questions: readonly string[],
  random: () => number,
  build: Builder,
  count: Count,
): Promise<BudgetChecks> {
  let overBudget = 0;
  let different = 0;
  for (const question of questions) {
    // Small budgets are as frequent as large ones.
    const budget = Math.floor(LEAST_BUDGET * (MOST_BUDGET / LEAST_BUDGET) ** random());
    const context = await build(question, budget);
    if (count(context) > budget) overBudget += 1;
    if ((await build(question, budget)) !== context) different += 1;
  }
  return { questions: questions.length, overBudget, different };
}

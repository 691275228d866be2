import type { LabelledQuestion } from './labelled.ts';

/** How well questions were answered: means over all of them, 0 to 1. */
export interface Quality {
  readonly questions: number;
  /** Whether the first file is an answer. */
  readonly hitAt1: number;
  /** The share of the answers among the first five files. */
  readonly recallAt5: number;
  readonly recallAt10: number;
  /** One divided by the rank of the first answer. */
  readonly reciprocalRank: number;
}

/** @param found paths that were found for a question, best first; a path counts at its first place */
export function qualityOf(
  questions: readonly LabelledQuestion[],
  found: (question: LabelledQuestion) => readonly string[],
): Quality {
  const each = questions.map((question) => measure(question, found(question)));
  const mean = (of: (one: Quality) => number) =>
    each.length === 0 ? 0 : each.reduce((sum, one) => sum + of(one), 0) / each.length;
  return {
    questions: each.length,
    hitAt1: mean((one) => one.hitAt1),
    recallAt5: mean((one) => one.recallAt5),
    recallAt10: mean((one) => one.recallAt10),
    reciprocalRank: mean((one) => one.reciprocalRank),
  };
}

function measure({ answers, also }: LabelledQuestion, found: readonly string[]): Quality {
  const wanted = new Set(answers.map(({ path }) => path));
  const files = [...new Set(found)].filter((path) => wanted.has(path) || !also.includes(path));
  const first = files.findIndex((path) => wanted.has(path));
  const recall = (count: number) =>
    files.slice(0, count).filter((path) => wanted.has(path)).length / wanted.size;
  return {
    questions: 1,
    hitAt1: first === 0 ? 1 : 0,
    recallAt5: recall(5),
    recallAt10: recall(10),
    reciprocalRank: first === -1 ? 0 : 1 / (first + 1),
  };
}

/** The value that a share of the values, 0 to 1, do not exceed. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
}

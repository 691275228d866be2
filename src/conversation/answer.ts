import type { Usage } from '../agent/chat-model.ts';
import type { LoopEnd, TraversalStep } from '../agent/loop.ts';
import type { RememberedClaim } from '../context/claims/remember-claims.ts';
import type { ContextManifest } from '../context/manifest.ts';
import { placeText } from '../core/memory-entry.ts';

/** The answer to a question in a conversation, and how it was found. */
export interface Answer {
  readonly question: string;
  /** Markdown as the model has written it. Only empty if the model called tools to the very end. */
  readonly answer: string;
  /** Why no more tools were called. */
  readonly end: LoopEnd;
  readonly traversal: readonly TraversalStep[];
  /** Places that the answer cites and that were shown to the model. If it cites none, those that were shown. */
  readonly sources: readonly string[];
  /** Places that it cites and that were not shown to the model. */
  readonly unshown: readonly string[];
  /** Includes the cost, if the API reports it or the price is known. */
  readonly usage: Usage;
  readonly context: AnswerContext;
  /** What has become of its claims. Empty if learning is switched off. */
  readonly learnt: readonly RememberedClaim[];
  /** Why nothing was learnt, if there was an error. */
  readonly learnProblem: string | undefined;
  /** How many turns of the conversation are in memory by now. */
  readonly pagedTurns: number;
  readonly durationMs: number;
  /** The revision of the graph when it was answered. */
  readonly revision: number;
}

/** What was found for a question before the model was asked. */
export interface AnswerContext {
  readonly tokens: number;
  /** Undefined if the previous context was kept as it was. */
  readonly manifest: ContextManifest | undefined;
}

/** Who has answered, and where the conversation is in the history. */
export interface ConversationNames {
  readonly model: string;
  readonly session: string;
  readonly conversation: string;
}

/** The answer as `--json` prints it. */
export function answerJson(answer: Answer, names: ConversationNames) {
  const { usage, context } = answer;
  return {
    answer: answer.answer,
    traversal_log: answer.traversal.map(({ tool, args, resultSummary }) => ({
      tool,
      args,
      result_summary: resultSummary,
    })),
    sources: answer.sources,
    ...(answer.unshown.length > 0 ? { unshown_sources: answer.unshown } : {}),
    end: answer.end,
    ...names,
    usage: usageJson(usage),
    context: { tokens: context.tokens, budget_tokens: context.manifest?.budgetTokens ?? null },
    learned: learntJson(answer.learnt),
    ...(answer.learnProblem === undefined ? {} : { learn_problem: answer.learnProblem }),
  };
}

/** `cost_usd` is null if it is not known. */
export function usageJson({ inputTokens, outputTokens, costUsd }: Usage) {
  return { input_tokens: inputTokens, output_tokens: outputTokens, cost_usd: costUsd ?? null };
}

export function learntJson(learnt: readonly RememberedClaim[]) {
  return learnt.map(({ claim, outcome, place }) => ({
    claim: claim.text,
    outcome,
    entry: placeText(place),
    score: claim.score,
  }));
}

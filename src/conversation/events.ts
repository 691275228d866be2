import type { Usage } from '../agent/chat-model.ts';
import type { TraversalStep } from '../agent/loop.ts';
import type { HistoryEvent, HistoryRecorder } from '../core/history-event.ts';
import type { OpContext } from '../core/resolver.ts';
import { cutText } from '../text/cut-text.ts';
import { type Answer, learntJson, usageJson } from './answer.ts';

/** Longer texts in arguments are cut in the history, which is not a second store of files. */
const MAX_ARGUMENT_LENGTH = 500;
const MAX_ARGUMENTS = 50;
const MAX_ARGUMENT_DEPTH = 4;
const MAX_ANSWER_LENGTH = 32_000;

/** A conversation, and the number of a question in it, from 1. */
export interface TurnName {
  readonly conversation: string;
  readonly turn: number;
}

/** How a question ended that was not answered. */
export interface Unanswered {
  readonly end: 'stopped' | 'failed';
  readonly reason: string;
  /** The tokens that were used nevertheless; undefined for none. */
  readonly usage: Usage | undefined;
  readonly durationMs: number;
}

/** Records what is asked, looked up and answered, so that it can be reviewed later. */
export class ConversationEvents {
  readonly #record: HistoryRecorder;
  readonly #asker: OpContext;
  readonly #model: OpContext;

  constructor(record: HistoryRecorder, { asker, model }: { asker: OpContext; model: OpContext }) {
    this.#record = record;
    this.#asker = asker;
    this.#model = model;
  }

  question(turn: TurnName, question: string, model: string): void {
    this.#enter('question', { ...turn, question: cut(question, MAX_ANSWER_LENGTH), model }, this.#asker);
  }

  step(turn: TurnName, number: number, step: TraversalStep): void {
    const { tool, args, resultSummary, error, durationMs } = step;
    const data = {
      ...turn,
      step: number,
      tool,
      args: bounded(args),
      result: resultSummary,
      ...(error === undefined ? {} : { error }),
      duration_ms: durationMs,
    };
    this.#enter('tool', data, this.#model);
  }

  answer(turn: TurnName, answer: Answer): void {
    const { end, sources, unshown, usage, learnt, durationMs, revision } = answer;
    const data = {
      ...turn,
      end,
      answer: cut(answer.answer, MAX_ANSWER_LENGTH),
      sources,
      ...(unshown.length > 0 ? { unshown } : {}),
      usage: usageJson(usage),
      learned: learntJson(learnt).map(({ outcome, entry }) => ({ outcome, entry })),
      duration_ms: durationMs,
      revision,
    };
    this.#enter('answer', data, this.#model);
  }

  noAnswer(turn: TurnName, { end, reason, usage, durationMs }: Unanswered): void {
    const spent = usage === undefined ? {} : { usage: usageJson(usage) };
    const data = { ...turn, end, answer: '', error: reason, ...spent, duration_ms: durationMs };
    this.#enter('answer', data, this.#model);
  }

  #enter(type: HistoryEvent['type'], data: Readonly<Record<string, unknown>>, context: OpContext): void {
    this.#record({ type, data, context });
  }
}

function bounded(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return cut(value, MAX_ARGUMENT_LENGTH);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= MAX_ARGUMENT_DEPTH) return '…';
  if (Array.isArray(value)) return value.slice(0, MAX_ARGUMENTS).map((item) => bounded(item, depth + 1));
  const fields = Object.entries(value).slice(0, MAX_ARGUMENTS);
  return Object.fromEntries(
    fields.map(([name, field]) => [cut(name, MAX_ARGUMENT_LENGTH), bounded(field, depth + 1)]),
  );
}

function cut(text: string, length: number): string {
  return cutText(text, length, `… (${text.length} characters)`);
}

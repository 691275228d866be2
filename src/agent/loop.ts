import { ModelError } from '../core/model-error.ts';
import {
  addUsage,
  type ChatMessage,
  type ChatModel,
  type ModelTurn,
  NO_USAGE,
  type ReplyOptions,
  type ToolOffer,
  type Usage,
} from './chat-model.ts';
import { dataBlock } from './data-block.ts';
import { summaryOf } from './reply-summary.ts';
import { type AnsweredCall, type RoundOptions, ToolRounds } from './tool-round.ts';

export interface LoopLimits {
  /** The maximal number of turns of the model. */
  readonly maxTurns: number;
  readonly maxToolCalls: number;
  /** The maximal number of tokens of all turns together, sent and received. */
  readonly maxTokens: number;
  /** The maximal number of tokens of one turn, sent and received. Default: no limit. */
  readonly windowTokens?: number;
}

export const DEFAULT_LOOP_LIMITS: LoopLimits = { maxTurns: 16, maxToolCalls: 48, maxTokens: 400_000 };

/** A tool call on the way to the answer. */
export interface TraversalStep {
  readonly tool: string;
  /** The arguments; their text if they could not be read. */
  readonly args: unknown;
  readonly resultSummary: string;
  /** Why there was no result, such as `ENOENT`. */
  readonly error?: string;
  readonly durationMs: number;
}

/** Why no more tools were called. `cut off`: the API has ended the answer before the model did. */
export type LoopEnd = 'answered' | 'cut off' | 'turns' | 'tool calls' | 'tokens' | 'window';

export interface LoopOutcome {
  /** Only empty if the model called tools to the very end. */
  readonly answer: string;
  readonly traversal: readonly TraversalStep[];
  readonly usage: Usage;
  readonly end: LoopEnd;
  /** What was added to the conversation: calls, their results, and the answer. */
  readonly added: readonly ChatMessage[];
}

export interface LoopOptions extends Omit<RoundOptions, 'onAnswered'> {
  readonly model: ChatModel;
  readonly tools: readonly ToolOffer[];
  readonly limits?: LoopLimits;
  /** Returns the conversation before each further turn, brought up to date. Default: it stays as it was given. */
  readonly refresh?: (() => Promise<readonly ChatMessage[]>) | undefined;
  readonly onText?: ((part: string) => void) | undefined;
  /** Called if what was said until now was not the answer, since tools are called. */
  readonly onTurn?: (() => void) | undefined;
  readonly onStep?: ((step: TraversalStep, call: AnsweredCall) => void) | undefined;
  /** Called after each turn with what all turns have taken so far, including failed ones, since the loop may end without an answer. */
  readonly onSpent?: ((usage: Usage) => void) | undefined;
}

const OUT_OF_STEPS =
  'You have used up what you may look at. Answer now with what you have found, and say what you could not look up.';
const SAY_SOMETHING = 'You answered with nothing at all. Answer the question, or call a tool.';
/** Some APIs do not accept an empty message. */
const NO_ANSWER = '(no answer)';
/** The estimate for an API that does not count tokens. */
const CHARACTERS_PER_TOKEN = 4;
/** The share of the window for the conversation. The rest is for the answer. */
const WINDOW_SHARE = 0.85;

/**
 * Lets the model call tools until it answers. At a limit it is told to answer with what it has, and cannot call anything any more.
 * @throws ModelError if the model does not reply; whatever the signal is aborted with
 */
export async function runLoop(first: readonly ChatMessage[], options: LoopOptions): Promise<LoopOutcome> {
  const { model, tools, limits = DEFAULT_LOOP_LIMITS, signal, onText } = options;
  const added: ChatMessage[] = [];
  const traversal: TraversalStep[] = [];
  const onAnswered = (call: AnsweredCall): void => {
    const step = stepOf(call);
    traversal.push(step);
    options.onStep?.(step, call);
  };
  const rounds = new ToolRounds({ ...options, onAnswered });
  let given = first;
  let usage = NO_USAGE;
  const onSpent = (spent: Usage): void => {
    usage = addUsage(usage, spent);
    options.onSpent?.(usage);
  };
  let nextTokens = tokensIn(given);

  for (let turns = 1; ; turns += 1) {
    signal?.throwIfAborted();
    const spentTokens = tokensOf(usage);
    const end = limitReached({ turns, calls: traversal.length, spentTokens, nextTokens }, limits);
    if (end !== undefined) added.push({ role: 'user', content: OUT_OF_STEPS });
    const asked = { tools, mayCall: end === undefined, signal, onText };
    const turn = await replyTo([...given, ...added], asked, counted(model, onSpent));
    if (end !== undefined || turn.toolRequests.length === 0) {
      added.push({ role: 'assistant', content: turn.text || NO_ANSWER });
      return {
        answer: turn.text,
        traversal,
        usage,
        end: end ?? (turn.isCut ? 'cut off' : 'answered'),
        added,
      };
    }
    options.onTurn?.();
    const calls = await rounds.answer(turn.toolRequests, limits.maxToolCalls - traversal.length);
    const results = calls.map(resultMessage);
    added.push({
      role: 'assistant',
      content: turn.text || null,
      tool_calls: calls.map(({ request }) => request),
    });
    added.push(...results);
    nextTokens = tokensOf(turn.usage) + tokensIn(results);
    signal?.throwIfAborted();
    given = (await options.refresh?.()) ?? given;
  }
}

interface Spent {
  readonly turns: number;
  readonly calls: number;
  readonly spentTokens: number;
  /** The tokens of the next request, as far as they can be known. */
  readonly nextTokens: number;
}

function limitReached(
  { turns, calls, spentTokens, nextTokens }: Spent,
  { maxTurns, maxToolCalls, maxTokens, windowTokens = Number.POSITIVE_INFINITY }: LoopLimits,
): LoopEnd | undefined {
  if (turns >= maxTurns) return 'turns';
  if (calls >= maxToolCalls) return 'tool calls';
  if (spentTokens >= maxTokens) return 'tokens';
  return turns > 1 && nextTokens >= windowTokens * WINDOW_SHARE ? 'window' : undefined;
}

/** A turn with its tokens, counted or estimated. */
type CountedTurn = ModelTurn & { readonly usage: Usage };

/** A model that reports what each reply took, including failed ones. If the API does not count tokens, they are estimated. */
interface CountedModel {
  readonly name: string;
  reply(messages: readonly ChatMessage[], asked: ReplyOptions): Promise<CountedTurn>;
}

function counted(model: ChatModel, onSpent: (usage: Usage) => void): CountedModel {
  const reply: CountedModel['reply'] = async (messages, asked) => {
    const sentTokens = tokensIn([...messages, ...(asked.tools ?? [])]);
    try {
      const turn = await model.reply(messages, asked);
      const { text, toolRequests } = turn;
      const outputTokens = tokensIn([text, toolRequests]);
      const usage = turn.usage ?? { inputTokens: sentTokens, outputTokens };
      onSpent(usage);
      return { ...turn, usage };
    } catch (error) {
      const spent = error instanceof ModelError ? error.spent : undefined;
      if (spent !== undefined)
        onSpent(spent === 'unknown' ? { inputTokens: sentTokens, outputTokens: 0 } : spent);
      throw error;
    }
  };
  return { name: model.name, reply };
}

/** Asks once more after an empty answer, and after one with calls when none are allowed, then without any tools. */
async function replyTo(
  messages: readonly ChatMessage[],
  asked: ReplyOptions,
  model: CountedModel,
): Promise<CountedTurn> {
  const first = await replyOrNothing(messages, asked, model);
  const saysNothing = first === undefined || first.text.trim() === '';
  if (first !== undefined && !(saysNothing && (asked.mayCall === false || first.toolRequests.length === 0)))
    return first;
  const again: ChatMessage[] = [...messages, { role: 'user', content: SAY_SOMETHING }];
  const second = await model.reply(again, asked.mayCall === false ? { ...asked, tools: [] } : asked);
  if (second.text.trim() === '' && second.toolRequests.length === 0)
    throw new ModelError('malformed', `${model.name} answered with nothing at all, twice`);
  return second;
}

/** Undefined if what the model sent contains no answer, and no part of one was passed on. */
async function replyOrNothing(
  messages: readonly ChatMessage[],
  asked: ReplyOptions,
  model: CountedModel,
): Promise<CountedTurn | undefined> {
  let wasHeard = false;
  const onText = (part: string): void => {
    wasHeard = true;
    asked.onText?.(part);
  };
  try {
    return await model.reply(messages, { ...asked, ...(asked.onText ? { onText } : {}) });
  } catch (error) {
    if (error instanceof ModelError && error.failure === 'malformed' && !wasHeard) return undefined;
    throw error;
  }
}

function resultMessage({ request, reply }: AnsweredCall): ChatMessage {
  return { role: 'tool', tool_call_id: request.id, content: dataBlock(request.function.name, reply) };
}

function stepOf({ request, args, reply, durationMs }: AnsweredCall): TraversalStep {
  return {
    tool: request.function.name,
    args,
    resultSummary: summaryOf(reply),
    ...(reply.error === undefined ? {} : { error: reply.error.code }),
    durationMs,
  };
}

function tokensOf({ inputTokens, outputTokens }: Usage): number {
  return inputTokens + outputTokens;
}

function tokensIn(values: readonly unknown[]): number {
  return Math.ceil(JSON.stringify(values).length / CHARACTERS_PER_TOKEN);
}

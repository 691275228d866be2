import type { ToolReply } from '../toolkit/call.ts';
import {
  addUsage,
  type ChatMessage,
  type ChatModel,
  NO_USAGE,
  type ToolOffer,
  type ToolRequest,
  type Usage,
} from './chat-model.ts';
import { dataBlock } from './data-block.ts';
import { placesIn } from './places.ts';
import { summaryOf } from './reply-summary.ts';

export interface LoopLimits {
  /** Turns of the model at most. */
  readonly maxTurns: number;
  readonly maxToolCalls: number;
  /** Tokens in and out, of all turns together. */
  readonly maxTokens: number;
}

export const DEFAULT_LOOP_LIMITS: LoopLimits = { maxTurns: 16, maxToolCalls: 48, maxTokens: 400_000 };

/** One tool that was called on the way. */
export interface TraversalStep {
  readonly tool: string;
  readonly args: unknown;
  readonly resultSummary: string;
  readonly durationMs: number;
}

/** Why no more tools were called. */
export type LoopEnd = 'answered' | 'turns' | 'tool calls' | 'tokens';

export interface LoopOutcome {
  readonly answer: string;
  readonly traversal: readonly TraversalStep[];
  /** Places of the docs and the tree that the tools showed, in the order they came up: `charges/create-charge.md:31`. */
  readonly places: readonly string[];
  readonly usage: Usage;
  readonly end: LoopEnd;
  /** The conversation with all that was added to it. */
  readonly messages: readonly ChatMessage[];
}

export interface LoopOptions {
  readonly model: ChatModel;
  readonly tools: readonly ToolOffer[];
  /** Answers a call. Never throws for what the model did wrong. */
  readonly call: (tool: string, args: unknown) => Promise<ToolReply>;
  readonly limits?: LoopLimits;
  readonly signal?: AbortSignal | undefined;
  readonly onText?: ((part: string) => void) | undefined;
  readonly onStep?: ((step: TraversalStep) => void) | undefined;
}

const OUT_OF_STEPS =
  'You have used up what you may look at. Answer now with what you have found, and say what you could not look up.';
/** The same question again has the same answer. */
const MAX_SAME_CALLS = 2;

/**
 * Lets the model ask tools until it answers, each of its turns with all calls at once.
 * @throws ModelError where the model does not reply; whatever the signal is aborted with
 */
export async function runLoop(given: readonly ChatMessage[], options: LoopOptions): Promise<LoopOutcome> {
  const { model, tools, limits = DEFAULT_LOOP_LIMITS, signal, onText } = options;
  const messages = [...given];
  const traversal: TraversalStep[] = [];
  const places = new Set<string>();
  const asked = new Map<string, number>();
  let usage = NO_USAGE;

  for (let turns = 1; ; turns += 1) {
    signal?.throwIfAborted();
    const end = limitReached(turns, traversal.length, usage, limits);
    if (end !== undefined) messages.push({ role: 'user', content: OUT_OF_STEPS });
    const turn = await model.reply(messages, { tools: end === undefined ? tools : [], signal, onText });
    usage = addUsage(usage, turn.usage);
    const requests = end === undefined ? turn.toolRequests : [];
    messages.push({
      role: 'assistant',
      content: turn.text,
      ...(requests.length > 0 ? { tool_calls: requests } : {}),
    });
    if (requests.length === 0) {
      return { answer: turn.text, traversal, places: [...places], usage, end: end ?? 'answered', messages };
    }
    const results = await Promise.all(requests.map((request) => answered(request, asked, options)));
    for (const { request, reply, step } of results) {
      traversal.push(step);
      options.onStep?.(step);
      for (const place of placesIn(reply)) places.add(place);
      messages.push({
        role: 'tool',
        tool_call_id: request.id,
        content: dataBlock(request.function.name, reply),
      });
    }
  }
}

function limitReached(
  turns: number,
  calls: number,
  { inputTokens, outputTokens }: Usage,
  limits: LoopLimits,
): LoopEnd | undefined {
  if (turns >= limits.maxTurns) return 'turns';
  if (calls >= limits.maxToolCalls) return 'tool calls';
  return inputTokens + outputTokens >= limits.maxTokens ? 'tokens' : undefined;
}

async function answered(request: ToolRequest, asked: Map<string, number>, { call }: LoopOptions) {
  const { name, arguments: text } = request.function;
  const startMs = performance.now();
  const key = `${name} ${text}`;
  const times = (asked.get(key) ?? 0) + 1;
  asked.set(key, times);
  const args = argumentsOf(text);
  const reply: { readonly error?: ToolReply['error']; readonly [field: string]: unknown } =
    args === undefined
      ? { error: { code: 'EINVAL', message: 'these arguments are no JSON object; send them again as one' } }
      : times > MAX_SAME_CALLS
        ? {
            error: {
              code: 'EINVAL',
              message:
                'you have asked this already, and the answer is the same; ask something else, or answer',
            },
          }
        : await call(name, args);
  const step: TraversalStep = {
    tool: name,
    args: args ?? text,
    resultSummary: summaryOf(reply),
    durationMs: Math.round(performance.now() - startMs),
  };
  return { request, reply, step };
}

/** A tool without parameters is often called with no text at all. */
function argumentsOf(text: string): object | undefined {
  if (text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

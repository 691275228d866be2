import { clearTimeout, setTimeout } from 'node:timers';
import { z } from 'zod';
import { ModelError } from '../core/model-error.ts';
import { apiFailure } from './api-failure.ts';
import type {
  ChatMessage,
  ChatModel,
  ModelTurn,
  ReplyOptions,
  ResponseSchema,
  ToolOffer,
  ToolRequest,
  Usage,
} from './chat-model.ts';
import { type ApiAccess, openAiClient } from './openai-client.ts';
import { withRetries } from './retry.ts';

export interface ChatOptions extends ApiAccess {
  readonly model: string;
  /** Of one reply, until it begins and between its parts. Default 120 s. */
  readonly timeoutMs?: number | undefined;
  /** How often a reply is asked for before a failure that may pass is told. Default 4. */
  readonly attempts?: number | undefined;
}

const DEFAULT_TIMEOUT_MS = 120_000;
const DEFAULT_ATTEMPTS = 4;

/** What counts of a part of a streamed answer; servers differ in all the rest. */
const partSchema = z.object({
  choices: z
    .array(
      z.object({
        delta: z
          .object({
            content: z.string().nullish(),
            tool_calls: z
              .array(
                z.object({
                  index: z.int().nonnegative().optional(),
                  id: z.string().nullish(),
                  function: z
                    .object({ name: z.string().nullish(), arguments: z.string().nullish() })
                    .nullish(),
                }),
              )
              .nullish(),
          })
          .nullish(),
      }),
    )
    .nullish(),
  usage: z
    .object({
      prompt_tokens: z.number().nonnegative().catch(0),
      completion_tokens: z.number().nonnegative().catch(0),
      cost: z.number().nonnegative().optional().catch(undefined),
    })
    .nullish(),
  error: z.object({ message: z.string() }).nullish(),
});

/** A model behind an OpenAI-compatible API, whose answers are streamed. */
export function openAiChat(options: ChatOptions): ChatModel {
  const { model, timeoutMs = DEFAULT_TIMEOUT_MS, attempts = DEFAULT_ATTEMPTS } = options;
  let client: ReturnType<typeof openAiClient> | undefined;

  /** @returns the failure where nothing was heard: who has waited for that long does not want to wait as long again */
  async function ask(messages: readonly ChatMessage[], asked: ReplyOptions): Promise<ModelTurn | ModelError> {
    const { tools = [], responseFormat, maxOutputTokens, mayCall = true, signal, onText } = asked;
    client ??= openAiClient(options);
    const { chat } = await client;
    const turn = new StreamedTurn(model, onText);
    const silence = new Silence(timeoutMs);
    try {
      const stream = await chat.completions.create(
        {
          model,
          messages: messages.map(sentMessage),
          stream: true,
          stream_options: { include_usage: true },
          ...(tools.length > 0 ? { tools: tools.map(sentTool) } : {}),
          ...(responseFormat === undefined ? {} : { response_format: sentFormat(responseFormat) }),
          ...(maxOutputTokens === undefined ? {} : { max_tokens: maxOutputTokens }),
          ...(tools.length > 0 && !mayCall ? { tool_choice: 'none' as const } : {}),
        },
        { signal: signal === undefined ? silence.signal : AbortSignal.any([silence.signal, signal]) },
      );
      for await (const part of stream) {
        silence.heard();
        turn.take(part);
      }
      silence.signal.throwIfAborted();
      signal?.throwIfAborted();
      return turn.whole();
    } catch (error) {
      const failure = silence.signal.aborted
        ? new ModelError('busy', `${options.baseUrl} (${model}) said nothing for ${timeoutMs} ms`)
        : apiFailure(error, options, signal);
      // What was heard cannot be unheard: a second answer after half of a first one would be no answer.
      if (turn.wasHeard && failure.failure === 'busy') {
        throw new ModelError('malformed', `the answer of ${model} broke off: ${failure.message}`);
      }
      if (silence.signal.aborted) return failure;
      throw failure;
    } finally {
      silence.stop();
    }
  }

  return {
    name: model,
    async reply(messages, asked = {}) {
      const turn = await withRetries(() => ask(messages, asked), { attempts, signal: asked.signal });
      if (turn instanceof ModelError) throw turn;
      return turn;
    },
  };
}

/** Aborts what nothing was heard of for so long. */
class Silence {
  readonly #ending = new AbortController();
  readonly #timer: NodeJS.Timeout;

  constructor(timeoutMs: number) {
    this.#timer = setTimeout(() => this.#ending.abort(), timeoutMs);
  }

  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  /** Something was heard: it begins anew. */
  heard(): void {
    this.#timer.refresh();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}

/** One answer, put together from its parts. */
class StreamedTurn {
  readonly #model: string;
  readonly #onText: ReplyOptions['onText'];
  readonly #requests: { id: string; name: string; arguments: string }[] = [];
  #text = '';
  #usage: Usage = { inputTokens: 0, outputTokens: 0 };
  wasHeard = false;

  constructor(model: string, onText: ReplyOptions['onText']) {
    this.#model = model;
    this.#onText = onText;
  }

  /** @throws ModelError `malformed`; `refused` for an error that comes as a part of the answer */
  take(part: unknown): void {
    const parsed = partSchema.safeParse(part);
    if (!parsed.success)
      throw new ModelError('malformed', `${this.#model} sent a part of an answer that is none`);
    const { choices, usage, error } = parsed.data;
    if (error) throw new ModelError('refused', `${this.#model}: ${error.message}`);
    if (usage) {
      const { prompt_tokens: inputTokens, completion_tokens: outputTokens, cost } = usage;
      this.#usage = { inputTokens, outputTokens, ...(cost === undefined ? {} : { costUsd: cost }) };
    }
    const delta = choices?.[0]?.delta;
    if (delta?.content) {
      this.#text += delta.content;
      this.wasHeard ||= this.#onText !== undefined;
      this.#onText?.(delta.content);
    }
    for (const call of delta?.tool_calls ?? []) {
      const {
        index = call.id ? this.#requests.length : this.#requests.length - 1,
        id,
        function: called,
      } = call;
      this.#requests[index] ??= { id: '', name: '', arguments: '' };
      const request = this.#requests[index];
      request.id ||= id ?? '';
      request.name += called?.name ?? '';
      request.arguments += called?.arguments ?? '';
    }
  }

  /** @throws ModelError `malformed` for an answer of nothing */
  whole(): ModelTurn {
    const toolRequests = this.#requests
      .filter((request) => request !== undefined)
      .map(
        ({ id, name, arguments: text }, index): ToolRequest => ({
          id: id || `call-${index}`,
          type: 'function',
          function: { name, arguments: text },
        }),
      );
    if (this.#text === '' && toolRequests.length === 0) {
      throw new ModelError('malformed', `${this.#model} answered with nothing at all`);
    }
    return { text: this.#text, toolRequests, usage: this.#usage };
  }
}

function sentMessage(message: ChatMessage) {
  if (message.role !== 'assistant') return { ...message };
  const { tool_calls: calls, ...rest } = message;
  return {
    ...rest,
    ...(calls
      ? { tool_calls: calls.map(({ id, type, function: called }) => ({ id, type, function: { ...called } })) }
      : {}),
  };
}

function sentFormat(format: 'json_object' | ResponseSchema) {
  if (format === 'json_object') return { type: format } as const;
  const { name, schema } = format;
  return { type: 'json_schema' as const, json_schema: { name, strict: true, schema: { ...schema } } };
}

function sentTool({ name, description, parameters }: ToolOffer) {
  return { type: 'function' as const, function: { name, description, parameters: { ...parameters } } };
}

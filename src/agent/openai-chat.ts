import { clearTimeout, setTimeout } from 'node:timers';
import { ModelError } from '../core/model-error.ts';
import { apiFailure } from './api-failure.ts';
import type {
  ChatMessage,
  ChatModel,
  ModelTurn,
  ReplyOptions,
  ResponseSchema,
  ToolOffer,
} from './chat-model.ts';
import { AnswerParts, type ApiAccess, openAiClient } from './openai-client.ts';
import { withRetries } from './retry.ts';
import { StreamedTurn } from './streamed-turn.ts';

export interface ChatOptions extends ApiAccess {
  readonly model: string;
  /** How long to wait for the beginning of a reply and between its parts. Default 120 s. */
  readonly timeoutMs?: number | undefined;
  /** How often to ask for a reply before a failure that may pass is reported. Default 4. */
  readonly attempts?: number | undefined;
}

const DEFAULT_TIMEOUT_MS = 120_000;
const DEFAULT_ATTEMPTS = 4;

/** A model behind an OpenAI-compatible API, with streamed answers. */
export function openAiChat(options: ChatOptions): ChatModel {
  const { model, timeoutMs = DEFAULT_TIMEOUT_MS, attempts = DEFAULT_ATTEMPTS } = options;
  let client: ReturnType<typeof openAiClient> | undefined;
  let lengthName = lengthNameOf(options.baseUrl);

  /** @returns the failure if nothing was heard: nobody wants to wait that long again */
  async function ask(messages: readonly ChatMessage[], asked: ReplyOptions): Promise<ModelTurn | ModelError> {
    const sentName = lengthName;
    const { maxOutputTokens, signal, onText } = asked;
    client ??= openAiClient(options);
    const { chat } = await client;
    const turn = new StreamedTurn(model, options.apiKey, onText);
    const silence = new Silence(timeoutMs);
    let hasBegun = false;
    try {
      const response = await chat.completions
        .create(sentRequest(model, messages, asked, sentName), {
          signal: signal === undefined ? silence.signal : AbortSignal.any([silence.signal, signal]),
        })
        .asResponse();
      hasBegun = true;
      const parts = new AnswerParts(response);
      for await (const part of parts) {
        silence.heard();
        turn.take(part);
      }
      silence.signal.throwIfAborted();
      signal?.throwIfAborted();
      if (!parts.isWhole && !turn.hasEnd)
        throw new ModelError('busy', `${options.baseUrl} (${model}) ended its answer in the middle`);
      return turn.whole();
    } catch (error) {
      const { failure, message, retryAfterMs, status } = silence.signal.aborted
        ? new ModelError('busy', `${options.baseUrl} (${model}) said nothing for ${timeoutMs} ms`)
        : apiFailure(error, options, signal);
      const wantsOtherName = failure === 'refused' && sentName !== NEW_NAME && message.includes(NEW_NAME);
      if (wantsOtherName && maxOutputTokens !== undefined) {
        lengthName = NEW_NAME;
        return ask(messages, asked);
      }
      const mayHaveBegun = hasBegun || silence.signal.aborted;
      const spent = turn.usage ?? (mayHaveBegun ? 'unknown' : undefined);
      // A part of the answer was passed on already. A second answer after half of the first would not make sense.
      if (turn.wasHeard && failure === 'busy') {
        const told = `the answer of ${model} broke off: ${message}`;
        throw new ModelError('malformed', told, undefined, undefined, spent);
      }
      const failed = new ModelError(failure, message, retryAfterMs, status, spent);
      if (silence.signal.aborted) return failed;
      throw failed;
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

/** Aborts a request after nothing was received for some time. */
class Silence {
  readonly #ending = new AbortController();
  readonly #timer: NodeJS.Timeout;

  constructor(timeoutMs: number) {
    this.#timer = setTimeout(() => this.#ending.abort(), timeoutMs);
  }

  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  /** Something was received: the time begins anew. */
  heard(): void {
    this.#timer.refresh();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}

/** OpenAI's newer models refuse the name that all others know, and name this one in the error, even behind another address. */
const NEW_NAME = 'max_completion_tokens';

/** The name of the maximal length in a request. */
export function lengthNameOf(baseUrl: string): 'max_tokens' | typeof NEW_NAME {
  const isOpenAi = URL.canParse(baseUrl) && new URL(baseUrl).hostname === 'api.openai.com';
  return isOpenAi ? NEW_NAME : 'max_tokens';
}

/** @param lengthName the name of the maximal length */
function sentRequest(
  model: string,
  messages: readonly ChatMessage[],
  { tools = [], responseFormat, maxOutputTokens, mayCall = true }: ReplyOptions,
  lengthName: ReturnType<typeof lengthNameOf>,
) {
  return {
    model,
    messages: messages.map(sentMessage),
    stream: true as const,
    stream_options: { include_usage: true },
    ...(tools.length > 0 ? { tools: tools.map(sentTool) } : {}),
    ...(responseFormat === undefined ? {} : { response_format: sentFormat(responseFormat) }),
    ...(maxOutputTokens === undefined ? {} : { [lengthName]: maxOutputTokens }),
    ...(tools.length > 0 && !mayCall ? { tool_choice: 'none' as const } : {}),
  };
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

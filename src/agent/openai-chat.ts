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
    client ??= openAiClient(options);
    const { chat } = await client;
    const turn = new StreamedTurn(model, options.apiKey, asked.onText);
    const silence = new Silence(timeoutMs);
    const signal = silence.or(asked.signal);
    let hasBegun = false;
    try {
      const response = await chat.completions
        .create(sentRequest(model, messages, asked, sentName), { signal })
        .asResponse();
      hasBegun = true;
      const isWhole = await takeParts(response, turn, silence);
      signal.throwIfAborted();
      if (!isWhole)
        throw new ModelError('busy', `${options.baseUrl} (${model}) ended its answer in the middle`);
      return turn.whole();
    } catch (error) {
      const isSilent = silence.signal.aborted;
      const cause = isSilent
        ? new ModelError('busy', `${options.baseUrl} (${model}) said nothing for ${timeoutMs} ms`)
        : apiFailure(error, options, asked.signal);
      if (asked.maxOutputTokens !== undefined && sentName !== NEW_NAME && wantsNewName(cause)) {
        lengthName = NEW_NAME;
        return ask(messages, asked);
      }
      const spent = turn.usage ?? (hasBegun || isSilent ? 'unknown' : undefined);
      if (turn.wasHeard && cause.failure === 'busy') throw brokenOff(model, cause, spent);
      const failed = new ModelError(cause.failure, cause.message, cause.retryAfterMs, cause.status, spent);
      if (isSilent) return failed;
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

/** Takes the parts of an answer as they come. @returns whether its end has come, too */
async function takeParts(response: Response, turn: StreamedTurn, silence: Silence): Promise<boolean> {
  const parts = new AnswerParts(response);
  for await (const part of parts) {
    silence.heard();
    turn.take(part);
  }
  return parts.isWhole || turn.hasEnd;
}

/** A part of the answer was passed on already. A second answer after half of the first would not make sense, so this is not tried again. */
function brokenOff(model: string, cause: ModelError, spent: ModelError['spent']): ModelError {
  const message = `the answer of ${model} broke off: ${cause.message}`;
  return new ModelError('malformed', message, undefined, undefined, spent);
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

  /** Aborted by silence, or by the caller. */
  or(signal: AbortSignal | undefined): AbortSignal {
    return signal === undefined ? this.signal : AbortSignal.any([this.signal, signal]);
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

function wantsNewName({ failure, message }: ModelError): boolean {
  return failure === 'refused' && message.includes(NEW_NAME);
}

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

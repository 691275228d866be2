/** A message of a conversation, in the form that all OpenAI-compatible APIs share. */
export type ChatMessage =
  | { readonly role: 'system' | 'user'; readonly content: string }
  | {
      readonly role: 'assistant';
      readonly content: string | null;
      readonly tool_calls?: readonly ToolRequest[];
    }
  | { readonly role: 'tool'; readonly tool_call_id: string; readonly content: string };

/** A request of the model to call a tool. */
export interface ToolRequest {
  readonly id: string;
  readonly type: 'function';
  readonly function: {
    readonly name: string;
    /** JSON as the model has written it, which may be wrong. */
    readonly arguments: string;
  };
}

/** A tool as it is described to the model. */
export interface ToolOffer {
  readonly name: string;
  readonly description: string;
  /** The JSON schema of an object. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** The cost, if the API reports it. */
  readonly costUsd?: number;
}

export const NO_USAGE: Usage = { inputTokens: 0, outputTokens: 0 };

/** Adds up two usages. The cost of both is known if that of each is, or if one took no tokens. */
export function addUsage(a: Usage, b: Usage): Usage {
  const costUsd = isNothing(a) ? b.costUsd : isNothing(b) ? a.costUsd : sumOf(a.costUsd, b.costUsd);
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    ...(costUsd === undefined ? {} : { costUsd }),
  };
}

export function isNothing({ inputTokens, outputTokens, costUsd }: Usage): boolean {
  return inputTokens + outputTokens === 0 && costUsd === undefined;
}

function sumOf(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? undefined : a + b;
}

/** A model's reply to a conversation. */
export interface ModelTurn {
  /** The text, without the model's thoughts. */
  readonly text: string;
  readonly toolRequests: readonly ToolRequest[];
  /** Undefined if the API has not counted. */
  readonly usage: Usage | undefined;
  /** Whether the API has ended it, because of its length or by a filter. */
  readonly isCut?: boolean;
}

/** The reply has to be JSON that matches this schema exactly. */
export interface ResponseSchema {
  readonly name: string;
  readonly schema: Readonly<Record<string, unknown>>;
}

export interface ReplyOptions {
  /** If absent, the model can only speak. */
  readonly tools?: readonly ToolOffer[];
  /** Whether it may call tools now. APIs want to know of tools that were called before even if not. Default true. */
  readonly mayCall?: boolean;
  readonly signal?: AbortSignal | undefined;
  /** The form of the answer. An API that does not know it refuses. Default: any text. */
  readonly responseFormat?: 'json_object' | ResponseSchema | undefined;
  /** The maximal length of the answer. Default: that of the API. */
  readonly maxOutputTokens?: number | undefined;
  /** Called with the text as it comes. */
  readonly onText?: ((part: string) => void) | undefined;
}

export interface ChatModel {
  readonly name: string;
  /** @throws ModelError */
  reply(messages: readonly ChatMessage[], options?: ReplyOptions): Promise<ModelTurn>;
}

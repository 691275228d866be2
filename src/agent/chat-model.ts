/** A message of a conversation, in the form that all OpenAI-compatible APIs share. */
export type ChatMessage =
  | { readonly role: 'system' | 'user'; readonly content: string }
  | {
      readonly role: 'assistant';
      readonly content: string | null;
      readonly tool_calls?: readonly ToolRequest[];
    }
  | { readonly role: 'tool'; readonly tool_call_id: string; readonly content: string };

/** A tool that the model wants called. */
export interface ToolRequest {
  readonly id: string;
  readonly type: 'function';
  readonly function: {
    readonly name: string;
    /** JSON, as the model wrote it: not always right. */
    readonly arguments: string;
  };
}

/** A tool as the model is told of it. */
export interface ToolOffer {
  readonly name: string;
  readonly description: string;
  /** JSON schema of an object. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Where the API says it. */
  readonly costUsd?: number;
}

export const NO_USAGE: Usage = { inputTokens: 0, outputTokens: 0 };

/** The cost of both is known where that of each is, or one took nothing. */
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

/** What a model answers to a conversation. */
export interface ModelTurn {
  /** Without what it thought before. */
  readonly text: string;
  readonly toolRequests: readonly ToolRequest[];
  /** Undefined where the API did not count. */
  readonly usage: Usage | undefined;
  /** The API ended it: at a limit of length, or by a filter. */
  readonly isCut?: boolean;
}

/** JSON of this schema, to the letter. */
export interface ResponseSchema {
  readonly name: string;
  readonly schema: Readonly<Record<string, unknown>>;
}

export interface ReplyOptions {
  /** None: the model can only speak. */
  readonly tools?: readonly ToolOffer[];
  /** Whether it may call them now; APIs want to be told of tools that were called before. Default true. */
  readonly mayCall?: boolean;
  readonly signal?: AbortSignal | undefined;
  /** What the answer is to be; an API that knows no such thing refuses. Default: any text. */
  readonly responseFormat?: 'json_object' | ResponseSchema | undefined;
  /** How long the answer may be. Default: as the API has it. */
  readonly maxOutputTokens?: number | undefined;
  /** Hears the text as it comes. */
  readonly onText?: ((part: string) => void) | undefined;
}

export interface ChatModel {
  readonly name: string;
  /** @throws ModelError */
  reply(messages: readonly ChatMessage[], options?: ReplyOptions): Promise<ModelTurn>;
}

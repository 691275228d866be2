import { z } from 'zod';
import { ModelError } from '../core/model-error.ts';
import { failureOf } from './api-failure.ts';
import { isNothing, type ModelTurn, type ReplyOptions, type ToolRequest, type Usage } from './chat-model.ts';
import { Thoughts } from './thoughts.ts';
import { WithoutKey, withoutKey } from './without-key.ts';

const MAX_CALLS = 1000;

type CallPart = NonNullable<z.infer<typeof saidSchema>['tool_calls']>[number];

const contentSchema = z.union([
  z.string(),
  z
    .array(z.object({ text: z.string().catch('') }))
    .transform((parts) => parts.map(({ text }) => text).join('')),
]);

/** What is said: everything (`message`), or the next part (`delta`). */
const saidSchema = z.object({
  content: contentSchema.nullish(),
  tool_calls: z
    .array(
      z.object({
        index: z.int().min(0).max(MAX_CALLS).optional(),
        id: z.string().nullish(),
        function: z
          .object({
            name: z.string().nullish(),
            // In Ollama's own form, which some servers pass on, they are already an object.
            arguments: z
              .union([
                z.string(),
                z.record(z.string(), z.unknown()).transform((args) => JSON.stringify(args)),
              ])
              .nullish(),
          })
          .nullish(),
      }),
    )
    .max(MAX_CALLS)
    .nullish(),
});

/** The relevant fields of an answer, or of a part of it. Servers differ in all others. */
const partSchema = z.object({
  choices: z
    .array(
      z.object({
        delta: saidSchema.nullish(),
        message: saidSchema.nullish(),
        finish_reason: z.string().nullish().catch(undefined),
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
  error: z.object({ message: z.string(), code: z.unknown() }).nullish(),
});

/** A call as far as it has arrived. */
interface PartOfRequest {
  /** The index of the call, as the server counts. */
  readonly index: number;
  id: string;
  name: string;
  arguments: string;
}

/** An answer that is put together from its parts. */
export class StreamedTurn {
  readonly #model: string;
  readonly #onText: ReplyOptions['onText'];
  readonly #requests: PartOfRequest[] = [];
  readonly #thoughts = new Thoughts();
  readonly #key: string | undefined;
  readonly #withoutKey: WithoutKey;
  #text = '';
  #finish: string | undefined;
  #usage: Usage | undefined;
  wasHeard = false;

  /** @param key is removed from what the model says and from its calls */
  constructor(model: string, key: string | undefined, onText: ReplyOptions['onText']) {
    this.#model = model;
    this.#key = key;
    this.#withoutKey = new WithoutKey(key);
    this.#onText = onText;
  }

  /** @throws ModelError `malformed`, or the error that comes as a part of the answer */
  take(part: unknown): void {
    const parsed = partSchema.safeParse(part);
    if (!parsed.success)
      throw new ModelError('malformed', `${this.#model} sent a part of an answer that is none`);
    const { choices, usage, error } = parsed.data;
    if (error) {
      const failure = typeof error.code === 'number' ? failureOf(error.code) : 'refused';
      throw new ModelError(failure, `${this.#model}: ${error.message}`);
    }
    if (usage) {
      const { prompt_tokens: inputTokens, completion_tokens: outputTokens, cost } = usage;
      this.#usage = { inputTokens, outputTokens, ...(cost === undefined ? {} : { costUsd: cost }) };
    }
    this.#finish = choices?.[0]?.finish_reason ?? this.#finish;
    const delta = choices?.[0]?.delta ?? choices?.[0]?.message;
    if (delta?.content) this.#said(this.#thoughts.take(this.#withoutKey.take(delta.content)));
    for (const call of delta?.tool_calls ?? []) {
      const request = this.#requestOf(call);
      request.id ||= call.id ?? '';
      request.name += call.function?.name ?? '';
      request.arguments += call.function?.arguments ?? '';
    }
  }

  /** The call that a part belongs to. Some servers do not number calls, or give all of them the same number. */
  #requestOf(call: CallPart): PartOfRequest {
    const { index = this.#requests.at(-1)?.index ?? 0 } = call;
    const ofIndex = this.#requests.filter((request) => request.index === index);
    const known = ofIndex.find(({ id }) => id !== '' && id === call.id) ?? ofIndex.at(-1);
    if (known !== undefined && !isAnother(known, call)) return known;
    const request = { index, id: '', name: '', arguments: '' };
    this.#requests.push(request);
    return request;
  }

  #said(text: string): void {
    if (text === '') return;
    this.#text += text;
    this.wasHeard ||= this.#onText !== undefined;
    this.#onText?.(text);
  }

  /** The tokens of the whole answer, if the API has reported them: some report zero for what they do not count. */
  get usage(): Usage | undefined {
    return this.#usage === undefined || isNothing(this.#usage) ? undefined : this.#usage;
  }

  /** Whether the API has said that it ended, by giving a reason, or by reporting the tokens, which comes last. */
  get hasEnd(): boolean {
    return this.#finish !== undefined || this.#usage !== undefined;
  }

  /** @throws ModelError `malformed` for an empty answer */
  whole(): ModelTurn {
    this.#said(this.#thoughts.take(this.#withoutKey.end()));
    this.#said(this.#thoughts.end());
    const toolRequests = this.#requests
      .toSorted((a, b) => a.index - b.index)
      .map(
        ({ id, name, arguments: text }, index): ToolRequest => ({
          id: withoutKey(id, this.#key) || `call-${index}`,
          type: 'function',
          function: { name: withoutKey(name, this.#key), arguments: withoutKey(text, this.#key) },
        }),
      );
    if (this.#text === '' && toolRequests.length === 0) {
      throw new ModelError('malformed', `${this.#model} answered with nothing at all`);
    }
    const isCut = this.#finish === 'length' || this.#finish === 'content_filter';
    return { text: this.#text, toolRequests, usage: this.usage, ...(isCut ? { isCut } : {}) };
  }
}

/** Whether a part begins another call. Then it names the tool. An id alone proves nothing, since some servers make a new one for each part. */
function isAnother(known: PartOfRequest, { id, function: called }: CallPart): boolean {
  if (!called?.name || known.name === '') return false;
  if (id && known.id !== '') return id !== known.id;
  return Boolean(called.arguments) && isWholeObject(known.arguments);
}

function isWholeObject(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'object';
  } catch {
    // The arguments are not complete yet.
    return false;
  }
}

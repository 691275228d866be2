import { cutText } from '../text/cut-text.ts';
import type { ToolRequest } from './chat-model.ts';
import { readArguments } from './tool-arguments.ts';

/** The answer of a tool, or the reason why there is none, in words that a model can act on. */
export interface ToolAnswer {
  readonly error?: { readonly code: string; readonly message: string };
  readonly [field: string]: unknown;
}

export interface RoundOptions {
  /** Answers a call. A mistake of the model never throws. */
  readonly call: (tool: string, args: object) => Promise<ToolAnswer>;
  /** Whether a tool changes something. Default: none does. */
  readonly changes?: ((tool: string) => boolean) | undefined;
  /** Called with each answered call of a turn, in order, even if the signal has ended others. */
  readonly onAnswered?: ((call: AnsweredCall) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A call that was answered. */
export interface AnsweredCall {
  /** The request in the form in which it is sent back to the API, which does not accept broken JSON. */
  readonly request: ToolRequest;
  /** The arguments; their text if they could not be read. */
  readonly args: unknown;
  readonly reply: ToolAnswer;
  readonly durationMs: number;
}

/** How often the same question may be asked: it has the same answer again. */
const MAX_SAME_CALLS = 2;
const MAX_SHOWN_LENGTH = 200;
/** Characters that a tool's name cannot have: some APIs refuse a conversation with such a name. */
const NOT_IN_NAMES = /[^A-Za-z0-9_-]/g;
const MAX_NAME_LENGTH = 64;

const ASKED_ALREADY =
  'you have asked this already, and the answer is the same; ask something else, or answer';
const OUT_OF_CALLS =
  'you have called all the tools that you may call for one question; answer with what you have';

/** Answers the calls of a model, one turn after another. */
export class ToolRounds {
  readonly #options: RoundOptions;
  /** How often each question was asked since the last change. */
  readonly #asked = new Map<string, number>();

  constructor(options: RoundOptions) {
    this.#options = options;
  }

  /**
   * Answers all calls of a turn, in order. They run at the same time, except for those that change something: such a call waits for all before it,
   * and those after it wait for it.
   * @param room how many calls may be made; the others are refused
   * @throws whatever the signal is aborted with, when all calls have ended
   */
  async answer(requests: readonly ToolRequest[], room: number): Promise<AnsweredCall[]> {
    const running: Promise<AnsweredCall>[] = [];
    let lastChange: Promise<unknown> = Promise.resolve();
    for (const [index, request] of distinct(requests).entries()) {
      const isChange = this.#options.changes?.(request.function.name) ?? false;
      const before = isChange ? Promise.allSettled(running) : lastChange;
      const one = before.then(() => this.#answerOne(request, isChange, index < room));
      if (isChange) lastChange = one;
      running.push(one);
    }
    for (const one of await Promise.allSettled(running))
      if (one.status === 'fulfilled') this.#options.onAnswered?.(one.value);
    return Promise.all(running);
  }

  async #answerOne(request: ToolRequest, isChange: boolean, hasRoom: boolean): Promise<AnsweredCall> {
    this.#options.signal?.throwIfAborted();
    const startMs = performance.now();
    const { name, arguments: text } = request.function;
    const { args, json } = readArguments(text, { isChange });
    const reply = hasRoom ? await this.#reply(name, args, text, isChange) : refusal(OUT_OF_CALLS);
    return {
      request: { ...request, function: { name, arguments: json } },
      args: args ?? text,
      reply,
      durationMs: Math.round(performance.now() - startMs),
    };
  }

  async #reply(name: string, args: object | undefined, text: string, isChange: boolean): Promise<ToolAnswer> {
    if (args === undefined) {
      const shown = cutText(text, MAX_SHOWN_LENGTH);
      return refusal(`these arguments are not a JSON object; send them again, whole: ${shown}`);
    }
    const key = `${name} ${JSON.stringify(args)}`;
    const times = (this.#asked.get(key) ?? 0) + 1;
    if (times > MAX_SAME_CALLS) return refusal(ASKED_ALREADY);
    // Counted before the call, since a turn may ask the same several times.
    this.#asked.set(key, times);
    const reply = await this.#options.call(name, args);
    if (isChange && reply.error === undefined) {
      this.#asked.clear();
      this.#asked.set(key, times);
    }
    return reply;
  }
}

function refusal(message: string): ToolAnswer {
  return { error: { code: 'EINVAL', message } };
}

/** The requests with names that an API accepts, and with distinct ids. */
function distinct(requests: readonly ToolRequest[]): ToolRequest[] {
  const ids = new Set<string>();
  return requests.map((request) => {
    let { id } = request;
    for (let count = 2; ids.has(id); count += 1) id = `${request.id}-${count}`;
    ids.add(id);
    const name = request.function.name.replace(NOT_IN_NAMES, '_').slice(0, MAX_NAME_LENGTH) || 'none';
    return { ...request, id, function: { ...request.function, name } };
  });
}

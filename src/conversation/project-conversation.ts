/**
 * A conversation of a model with one open project: context before a question, tools during it, learning from the answer, and older turns in memory.
 * Combines `agent`, `toolkit` and `context`; other files in `conversation/` record and report it. Long because it contains all steps of a question,
 * from beginning to end.
 */

import { randomBytes } from 'node:crypto';
import { type ChatMessage, type ChatModel, isNothing, NO_USAGE, type Usage } from '../agent/chat-model.ts';
import {
  DEFAULT_LOOP_LIMITS,
  type LoopLimits,
  type LoopOutcome,
  runLoop,
  type TraversalStep,
} from '../agent/loop.ts';
import { systemPrompt } from '../agent/system-prompt.ts';
import type { App } from '../app/app.ts';
import { openContextLoop } from '../app/contexts/context-loop.ts';
import { openToolbox } from '../app/open-toolbox.ts';
import type { RememberedClaim } from '../context/claims/remember-claims.ts';
import type { ContextManifest } from '../context/manifest.ts';
import { loadTokenCounter } from '../context/tokens.ts';
import { codeOfFailure, isFsError, reasonOf, UserError } from '../core/errors.ts';
import { isoDay, timeInName } from '../core/iso-time.ts';
import { ModelError } from '../core/model-error.ts';
import type { OpContext } from '../core/resolver.ts';
import { costOf, type ModelSettings } from '../settings/language-model.ts';
import type { Tool } from '../toolkit/tool.ts';
import { TOOLS } from '../toolkit/toolkit.ts';
import type { Answer, AnswerContext } from './answer.ts';
import { ConversationEvents, type TurnName } from './events.ts';
import { isOwn, type KeptMessage, looseMessage, sentMessages } from './sent-messages.ts';
import { ShownPlaces } from './shown-places.ts';
import { sourcesOf } from './sources.ts';
import { callsOf, offersOf } from './tool-calls.ts';

export interface ConversationOptions {
  readonly app: App;
  readonly model: ChatModel;
  readonly settings: Pick<ModelSettings, 'windowTokens' | 'price'>;
  /** The caller. The model acts under its own name, from the same process and session. */
  readonly context: OpContext;
  /** Whether the claims of an answer are compared with its sources and stored in memory. */
  readonly learn: boolean;
  /** Whether what the model writes to memory counts at once. Otherwise it waits for a person. */
  readonly writesCountAtOnce: boolean;
  /** The limits of one question. Default: {@link DEFAULT_LOOP_LIMITS}, and the model's window. */
  readonly limits?: Partial<LoopLimits>;
  /** The budget of the context for a question. Default: the config's. */
  readonly budgetTokens?: number | undefined;
  /** Identifies the conversation in history and memory. Default: a new id. */
  readonly id?: string;
  /** What was said before, if an earlier conversation of that id is continued. */
  readonly earlier?: EarlierTurns | undefined;
  /** Default: all. */
  readonly tools?: readonly Tool[];
}

/** The turns of a conversation in another process. */
export interface EarlierTurns {
  /** Oldest first. */
  readonly turns: readonly { readonly question: string; readonly answer: string }[];
  /** The number of the last question, whether it was answered or not. */
  readonly lastTurn: number;
}

export interface AskOptions {
  readonly signal?: AbortSignal | undefined;
  /** Called with the text of each turn of the model as it arrives. */
  readonly onText?: ((part: string) => void) | undefined;
  /** Called if what was said until now was not the answer, since tools are called. */
  readonly onTurn?: (() => void) | undefined;
  readonly onStep?: ((step: TraversalStep) => void) | undefined;
}

export interface Conversation {
  readonly id: string;
  /** The session of the history that contains the conversation. */
  readonly session: string;
  readonly model: string;
  /** The messages that stay, as they were said: without those that were moved to memory, and without context. */
  messages(): readonly ChatMessage[];
  /** All answers so far. */
  answers(): readonly Answer[];
  /**
   * Answers a question. If that fails, the conversation continues as if it had not been asked, but the history contains it.
   * @throws ModelError with the tokens used until then, `stopped` if the signal is aborted. FsError if memory cannot be written
   */
  ask(question: string, options?: AskOptions): Promise<Answer>;
  /** Frees its resources, but does not close the project. */
  close(): void;
}

/** The maximal number of tokens of a tool's answer, and its share of the window: a turn may call several tools. */
const CEILING_TOKENS = 2_000;
const CEILING_SHARE = 0.05;
const LEAST_CEILING_TOKENS = 300;
const KEPT_TURNS = 2;
/** The share of the context's budget for turns that were moved to memory and that the question is about. */
const RECALL_SHARE = 0.25;

export async function openConversation(options: ConversationOptions): Promise<Conversation> {
  const { count } = await loadTokenCounter(options.app.settings.context.tokenizer);
  return new ProjectConversation(options, count);
}

/** `ask-20261121T045625-7f3a` */
export function newConversationId(kind: 'ask' | 'chat', nowMs = Date.now()): string {
  const time = timeInName(nowMs);
  return `${kind}-${time}-${randomBytes(2).toString('hex')}`;
}

/** A question that is being answered. */
interface Asked extends AskOptions {
  readonly question: string;
  readonly name: TurnName;
  readonly startMs: number;
  readonly shown: ShownPlaces;
  /** The tokens of all turns of the model so far. */
  spent: Usage;
}

class ProjectConversation implements Conversation {
  readonly id: string;
  readonly session: string;
  readonly model: string;
  readonly #options: ConversationOptions;
  readonly #countTokens: (text: string) => number;
  readonly #tools: readonly Tool[];
  readonly #limits: LoopLimits;
  readonly #loop: ReturnType<typeof openContextLoop>;
  readonly #events: ConversationEvents;
  readonly #modelContext: OpContext;
  readonly #answers: Answer[] = [];
  /** Everything that was shown in the conversation: later answers may cite it, too. */
  readonly #shown = new ShownPlaces();
  #kept: readonly KeptMessage[];
  /** The manifest of the context in the messages. */
  #manifest: ContextManifest | undefined;
  #turn: number;

  constructor(options: ConversationOptions, countTokens: (text: string) => number) {
    const { app, model, context, settings, id = newConversationId('chat') } = options;
    this.id = id;
    this.session = context.caller?.session ?? app.workspace.session;
    this.model = model.name;
    this.#options = options;
    this.#countTokens = countTokens;
    this.#tools = options.tools ?? TOOLS;
    this.#limits = { ...DEFAULT_LOOP_LIMITS, windowTokens: settings.windowTokens, ...options.limits };
    this.#loop = openContextLoop(app);
    this.#modelContext = { caller: { ...context.caller, name: model.name } };
    this.#events = new ConversationEvents(app.workspace.record, {
      asker: context,
      model: this.#modelContext,
    });
    const { turns = [], lastTurn = 0 } = options.earlier ?? {};
    this.#turn = lastTurn;
    this.#kept = [
      this.#instructions(),
      ...turns.flatMap(({ question, answer }): KeptMessage[] => [
        { own: { role: 'user', content: question } },
        { own: { role: 'assistant', content: answer } },
      ]),
    ];
  }

  messages(): readonly ChatMessage[] {
    return this.#kept.filter(isOwn).map(({ own }) => own);
  }

  answers(): readonly Answer[] {
    return this.#answers;
  }

  async ask(question: string, options: AskOptions = {}): Promise<Answer> {
    this.#turn += 1;
    const name = { conversation: this.id, turn: this.#turn };
    const asked: Asked = {
      ...options,
      question,
      name,
      startMs: performance.now(),
      shown: new ShownPlaces(),
      spent: NO_USAGE,
    };
    this.#events.question(name, question, this.model);
    try {
      const answer = await this.#answer(asked);
      this.#events.answer(name, answer);
      this.#answers.push(answer);
      return answer;
    } catch (error) {
      const failure = options.signal?.aborted ? new ModelError('stopped', 'the answer was stopped') : error;
      const end = failure instanceof ModelError && failure.failure === 'stopped' ? 'stopped' : 'failed';
      const usage = isNothing(asked.spent) ? undefined : this.#priced(asked.spent);
      this.#events.noAnswer(name, { end, reason: reasonOf(failure), usage, durationMs: elapsed(asked) });
      throw failure instanceof ModelError ? failure.having(usage) : failure;
    }
  }

  close(): void {
    this.#loop.close();
  }

  async #answer(asked: Asked): Promise<Answer> {
    const { app } = this.#options;
    const own: ChatMessage = { role: 'user', content: asked.question };
    const paged = await this.#paged([...this.#kept, { own }]);
    const recalled = await this.#recalled(asked.question, paged.pagedTurns);
    const first = await this.#withContext(paged.messages, asked);
    const context: AnswerContext = { tokens: first.tokens, manifest: first.manifest };
    let kept = first.messages;
    const outcome = await this.#loopOver(asked, {
      given: sentMessages(kept, recalled),
      refresh: async () => {
        const next = await this.#withContext(kept, asked);
        kept = next.messages;
        return sentMessages(kept, recalled);
      },
    });
    asked.signal?.throwIfAborted();
    const { answer, end, traversal } = outcome;
    const learnt = await this.#learnt(asked.question, answer);
    this.#kept = [...kept, ...outcome.added.map((message) => ({ own: message }))];
    return {
      question: asked.question,
      answer,
      end,
      traversal,
      ...sourcesOf(answer, { ever: this.#shown, now: asked.shown }),
      usage: this.#priced(outcome.usage),
      context,
      ...learnt,
      pagedTurns: paged.pagedTurns,
      durationMs: elapsed(asked),
      revision: app.graph.revision(),
    };
  }

  /** Moves older turns to memory if they would take too much of the window. */
  async #paged(messages: readonly KeptMessage[]) {
    const { app, settings, context } = this.#options;
    return this.#loop.page(
      messages,
      looseMessage,
      {
        windowTokens: settings.windowTokens,
        share: app.settings.context.conversationShare,
        keepTurns: KEPT_TURNS,
        conversation: this.#pages(),
      },
      context,
    );
  }

  async #recalled(question: string, pagedTurns: number): Promise<string> {
    if (pagedTurns === 0) return '';
    const budgetTokens = Math.floor(this.#budgetTokens() * RECALL_SHARE);
    const { turns } = await this.#loop.recall({ question, budgetTokens, conversation: this.#pages() });
    return turns.map(({ text }) => text).join('\n\n');
  }

  /** The messages with a context that is valid now: stale parts are replaced, and what has been noted meanwhile is added. */
  async #withContext(messages: readonly KeptMessage[], { question, shown }: Asked) {
    this.#options.app.refresh();
    const mode = this.#answers.length === 0 ? 'adaptive' : 'incremental';
    const update = await this.#loop.update(
      messages,
      looseMessage,
      { question, mode, budgetTokens: this.#budgetTokens() },
      this.#options.context,
    );
    this.#manifest = update.manifest ?? this.#manifest;
    if (this.#manifest !== undefined)
      for (const places of [shown, this.#shown]) places.addContext(this.#manifest);
    return update;
  }

  async #loopOver(
    asked: Asked,
    { given, refresh }: { given: readonly ChatMessage[]; refresh: () => Promise<readonly ChatMessage[]> },
  ): Promise<LoopOutcome> {
    const { app, model, writesCountAtOnce } = this.#options;
    const { signal, onText, onTurn, onStep, name, shown } = asked;
    let steps = 0;
    return runLoop(given, {
      model,
      tools: offersOf(this.#tools),
      ...callsOf({
        tools: this.#tools,
        box: openToolbox(app, { countTokens: this.#countTokens, writesCountAtOnce }),
        context: { ...this.#modelContext, ...(signal ? { signal } : {}) },
        ceilingTokens: this.#ceilingTokens(),
        onBug: (error, tool) =>
          app.errors.add({ code: codeOfFailure(error), path: '/', message: `${tool}: ${reasonOf(error)}` }),
      }),
      limits: this.#limits,
      refresh,
      signal,
      onText,
      onTurn,
      onSpent: (usage) => {
        asked.spent = usage;
      },
      onStep: (step, { reply }) => {
        steps += 1;
        for (const places of [shown, this.#shown]) places.addReply(reply);
        this.#events.step(name, steps, step);
        onStep?.(step);
      },
    });
  }

  /** An answer from which nothing can be learnt is still an answer. */
  async #learnt(
    question: string,
    answer: string,
  ): Promise<{ learnt: readonly RememberedClaim[]; learnProblem: string | undefined }> {
    if (!this.#options.learn || answer.trim() === '') return { learnt: [], learnProblem: undefined };
    try {
      const request = { question, answer, claimant: this.model };
      const { remembered } = await this.#loop.evaluate(request, this.#options.context);
      return { learnt: remembered, learnProblem: undefined };
    } catch (error) {
      if (!isFsError(error) && !(error instanceof UserError)) throw error;
      return { learnt: [], learnProblem: reasonOf(error) };
    }
  }

  /** The name under which turns are stored that were moved to memory. In a continued conversation turns lack their tool calls, so they are different ones. */
  #pages(): string {
    const { earlier } = this.#options;
    return earlier === undefined ? this.id : `${this.id}-from-${earlier.lastTurn + 1}`;
  }

  #priced(usage: Usage): Usage {
    const { price } = this.#options.settings;
    if (usage.costUsd !== undefined || price === undefined) return usage;
    return { ...usage, costUsd: costOf(usage, price) };
  }

  #budgetTokens(): number {
    const { app, budgetTokens, settings } = this.#options;
    return Math.min(budgetTokens ?? app.settings.context.budgetTokens, Math.floor(settings.windowTokens / 2));
  }

  #ceilingTokens(): number {
    const share = Math.floor(this.#options.settings.windowTokens * CEILING_SHARE);
    return Math.max(LEAST_CEILING_TOKENS, Math.min(CEILING_TOKENS, share));
  }

  #instructions(): KeptMessage {
    const { app, writesCountAtOnce } = this.#options;
    const content = systemPrompt({
      date: isoDay(Date.now()),
      limits: this.#limits,
      ceilingTokens: this.#ceilingTokens(),
      edgeTypes: app.graph.edgeTypes(),
      writesCountAtOnce,
    });
    return { own: { role: 'system', content } };
  }
}

function elapsed({ startMs }: Asked): number {
  return Math.round(performance.now() - startMs);
}

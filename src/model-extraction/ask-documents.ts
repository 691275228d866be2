/** Long because everything that can end or delay a request, for one document or for all, meets in one queue here. */
import type { ChatModel, ReplyOptions } from '../agent/chat-model.ts';
import { ModelError } from '../core/model-error.ts';
import type { ExtractionKey, ExtractionStore } from '../store/extractions.ts';
import { answerJsonSchema } from './answer.ts';
import { Budget, type BudgetLimits, type Limit, type Reservation } from './budget.ts';
import { type MapTypes, NO_MAP_TYPES } from './map-types.ts';
import { Pace } from './pace.ts';
import { estimatedTokens, type Piece, piecesOf } from './pieces.ts';
import { messagesFor, promptVersion } from './prompt.ts';
import { type ReadAnswer, readAnswer } from './read-answer.ts';
import { type ClaimKeeper, SharedWork } from './shared-work.ts';

/** A version of a document, identified by the hash of its content. */
export interface AskedDocument {
  readonly path: string;
  readonly sha256: string;
}

export interface AskOptions {
  readonly documents: readonly AskedDocument[];
  /** The text of a document, which is read when its turn comes; undefined if it is not the version to ask about any more. */
  readonly textOf: (document: AskedDocument) => string | undefined;
  /** Asks only once for each reply: retries are decided here, for all requests together. */
  readonly model: ChatModel;
  /** Stores each answer at once. */
  readonly keeper: Pick<ExtractionStore, 'answeredPieces' | 'put'> & ClaimKeeper;
  /** The types of a schema map to ask for, too. Default: none. */
  readonly types?: MapTypes;
  readonly limits: BudgetLimits;
  /** The maximal number of simultaneous requests. */
  readonly concurrency: number;
  readonly signal: AbortSignal;
  readonly nowMs: () => number;
  /** Called after each document and each answer. */
  readonly onProgress?: (report: AskReport) => void;
  /** For tests. Default: {@link FIRST_PAUSE_MS}. */
  readonly firstPauseMs?: number;
  /** How often to look whether another process has finished a document. For tests. Default: {@link LOOK_AGAIN_MS}. */
  readonly lookAgainMs?: number;
}

/** Why not all documents were asked about; undefined if they were. */
export type AskStop = Limit | 'signal' | 'barred' | 'unreachable' | 'rate_limit' | 'malformed';

export interface AskReport {
  /** The number of documents to ask about. */
  readonly total: number;
  /** Documents that were completely answered before: nothing was sent. */
  readonly cached: number;
  /** Documents that were answered now. */
  readonly answered: number;
  /** Documents without an answer, which only rules have read. */
  readonly failed: number;
  /** Documents that were neither answered nor failed, since asking stopped before. */
  readonly left: number;
  /** Answers that were only almost JSON. */
  readonly repaired: number;
  readonly requests: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** US dollars; undefined if some costs are not known. */
  readonly costUsd: number | undefined;
  readonly failures: readonly { readonly path: string; readonly reason: string }[];
  readonly stoppedBy: AskStop | undefined;
  /** The words of the API if it has ended everything. */
  readonly stopReason: string | undefined;
}

const ATTEMPTS = 5;
const FIRST_PAUSE_MS = 500;
const LOOK_AGAIN_MS = 500;
/** If an API asks for a longer pause, asking stops. */
const LONGEST_REST_MS = 120_000;
/** After this many failed documents, or requests, without any answer, asking stops: nobody is there. */
const HOPELESS_DOCUMENTS = 3;
const HOPELESS_REQUESTS = 12;
/** After this many documents in a row with useless answers, each of them paid for, asking stops: the model gives no others. */
const USELESS_IN_A_ROW = 5;
/** The same for a model that has given useful answers: one that fails for every other document may go on. */
const USELESS_LATER = 25;

/** What an API can be told about the form of an answer, from most to least: form and length, length, nothing. */
const FORMATS = ['json_schema', 'json_object', 'text', 'none'] as const;

/**
 * Asks a model about documents, several at a time. A failure concerns only its document: after {@link ATTEMPTS} if the API was busy, at once if it
 * has refused or not answered with JSON. Answers are stored at once. Documents that another process is asking about are waited for. Ends early at a
 * limit, at the signal, and if no further document would be answered, or none with a useful answer.
 */
export async function askDocuments(options: AskOptions): Promise<AskReport> {
  const shared = new SharedWork(options.keeper, options.nowMs);
  try {
    const asking = new Asking(options, shared);
    await Promise.all(Array.from({ length: Math.max(1, options.concurrency) }, () => asking.work()));
    return asking.report();
  } finally {
    shared.close();
  }
}

interface Task {
  readonly document: AskedDocument;
  readonly attempts: number;
  /** On the clock of `performance.now()`. */
  readonly readyMs: number;
}

type AnsweredDocument = 'answered' | 'cached' | 'elsewhere' | 'gone' | 'stopped';

class Asking {
  readonly #options: AskOptions;
  readonly #shared: SharedWork;
  readonly #types: MapTypes;
  /** The form of the answer is a part of the request. */
  readonly #schema: ReturnType<typeof answerJsonSchema>;
  readonly #budget: Budget;
  readonly #pace: Pace;
  readonly #ending = new AbortController();
  readonly #queue: Task[];
  readonly #total: number;
  readonly #failures: { path: string; reason: string }[] = [];
  /** Called when a request is over. */
  #waiting: (() => void)[] = [];
  #cached = 0;
  #answered = 0;
  #gone = 0;
  #repaired = 0;
  #requests = 0;
  /** Requests without any answer, except for those that were refused for being too frequent. */
  #inVain = 0;
  /** Documents with a useless answer since the last useful one. */
  #uselessInARow = 0;
  /** The index in {@link FORMATS} that the API is known to accept. */
  #format = 0;
  /** The maximal ratio of counted to estimated tokens of an answer. */
  #tokenRatio = 1;
  #stop: { readonly by: AskStop; readonly reason?: string } | undefined;

  constructor(options: AskOptions, shared: SharedWork) {
    this.#options = options;
    this.#shared = shared;
    this.#types = options.types ?? NO_MAP_TYPES;
    this.#schema = answerJsonSchema(this.#types);
    const { documents, limits, signal } = options;
    this.#budget = new Budget(limits);
    // Documents with the same content are asked about once.
    const once = new Map(documents.toReversed().map((document) => [document.sha256, document]));
    this.#queue = Array.from([...once.values()].reverse(), (document) => {
      return { document, attempts: 0, readyMs: 0 };
    });
    this.#total = this.#queue.length;
    signal.addEventListener('abort', () => this.#end('signal'), { once: true });
    if (signal.aborted) this.#end('signal');
    this.#pace = new Pace(this.#ending.signal);
  }

  async work(): Promise<void> {
    for (let task = this.#queue.shift(); task !== undefined; task = this.#queue.shift()) {
      await this.#pace.ready(task.readyMs);
      if (this.#stop !== undefined) return;
      try {
        const outcome = await this.#ask(task.document);
        if (outcome === 'stopped') return;
        if (outcome === 'answered' || outcome === 'cached') this.#uselessInARow = 0;
        if (outcome === 'answered') this.#answered += 1;
        else if (outcome === 'cached') this.#cached += 1;
        else if (outcome === 'gone') this.#gone += 1;
        else this.#lookAgain(task);
      } catch (error) {
        if (!(error instanceof ModelError)) throw error;
        this.#failed(task, error);
      }
      this.#options.onProgress?.(this.report());
    }
  }

  report(): AskReport {
    const { inputTokens, outputTokens, costUsd } = this.#budget;
    const failed = this.#failures.length;
    const total = this.#total - this.#gone;
    return {
      total,
      cached: this.#cached,
      answered: this.#answered,
      failed,
      left: total - this.#cached - this.#answered - failed,
      repaired: this.#repaired,
      requests: this.#requests,
      inputTokens,
      outputTokens,
      costUsd,
      failures: this.#failures,
      stoppedBy: this.#stop?.by,
      stopReason: this.#stop?.reason,
    };
  }

  /** @throws ModelError */
  async #ask(document: AskedDocument): Promise<AnsweredDocument> {
    const { textOf, keeper, model } = this.#options;
    const text = textOf(document);
    if (text === undefined) return 'gone';
    const key = { sha256: document.sha256, promptVersion: promptVersion(this.#types), model: model.name };
    const pieces = piecesOf(text);
    const isAnswered = () => {
      const before = new Set(keeper.answeredPieces(key));
      return pieces.every((_, piece) => before.has(piece));
    };
    if (isAnswered()) return 'cached';
    if (!this.#shared.begin(key)) return 'elsewhere';
    try {
      // It may have been answered before this process claimed it.
      return isAnswered() ? 'cached' : await this.#askPieces(document, key, pieces);
    } finally {
      this.#shared.end(key);
    }
  }

  /** @throws ModelError */
  async #askPieces(
    document: AskedDocument,
    key: ExtractionKey,
    pieces: readonly Piece[],
  ): Promise<AnsweredDocument> {
    const { keeper, nowMs } = this.#options;
    const before = new Set(keeper.answeredPieces(key));
    for (const [piece, part] of pieces.entries()) {
      if (before.has(piece)) continue;
      const answered = await this.#askPiece(document.path, part);
      if (answered === undefined) return 'stopped';
      const { read, ...figures } = answered;
      if (read.wasRepaired) this.#repaired += 1;
      const answer = JSON.stringify(read.answer);
      keeper.put(key, { piece, pieces: pieces.length, answer, answeredMs: nowMs(), ...figures });
    }
    return 'answered';
  }

  /** Undefined if a limit or the signal came first. @throws ModelError */
  async #askPiece(path: string, piece: Piece) {
    const messages = messagesFor(path, piece, this.#types);
    const schemaTokens = estimatedTokens(JSON.stringify(this.#schema));
    const estimate = messages.reduce((sum, { content }) => sum + estimatedTokens(content), schemaTokens);
    for (let format = this.#format; ; format += 1) {
      const reservation = await this.#reserve(Math.ceil(estimate * this.#tokenRatio));
      if (reservation === undefined) return undefined;
      try {
        const answered = await this.#send(messages, format, reservation, estimate);
        if (answered === undefined) return undefined;
        // The API accepts this format and not the one before, which has nothing to do with the document.
        this.#format = Math.max(this.#format, format);
        return answered;
      } catch (error) {
        const mayBeFormat = error instanceof ModelError && error.failure === 'refused';
        if (!mayBeFormat || format + 1 >= FORMATS.length) throw error;
      }
    }
  }

  /** Undefined if a limit has cut the answer off: otherwise half of it would be stored as the whole. @throws ModelError */
  async #send(
    messages: ReturnType<typeof messagesFor>,
    format: number,
    reservation: Reservation,
    estimate: number,
  ): Promise<
    { read: ReadAnswer; inputTokens: number; outputTokens: number; costUsd: number | undefined } | undefined
  > {
    const { model } = this.#options;
    this.#requests += 1;
    try {
      const {
        text,
        usage = 'unknown',
        isCut,
      } = await model.reply(messages, {
        signal: this.#ending.signal,
        ...formOf(FORMATS[format] ?? 'none', this.#schema, reservation),
      });
      const { inputTokens, outputTokens } = usage === 'unknown' ? reservation : usage;
      this.#tokenRatio = Math.max(this.#tokenRatio, usage === 'unknown' ? 1 : inputTokens / estimate);
      const costUsd = this.#budget.settle(reservation, usage);
      if (isCut && reservation.shortenedBy !== undefined) {
        this.#stopAsking(reservation.shortenedBy);
        return undefined;
      }
      return { read: readAnswer(text, this.#types), inputTokens, outputTokens, costUsd };
    } catch (error) {
      if (error instanceof ModelError) this.#budget.settle(reservation, error.spent);
      throw error;
    } finally {
      this.#budget.settle(reservation, undefined);
      this.#release();
    }
  }

  /** Waits for running requests if they may leave enough of the budget. Undefined if asking is over. */
  async #reserve(inputTokens: number): Promise<Reservation | undefined> {
    for (;;) {
      await this.#pace.ready();
      if (this.#stop !== undefined) return undefined;
      const reserved = this.#budget.reserve(inputTokens);
      if (typeof reserved === 'object') return reserved;
      if (reserved !== 'wait') {
        this.#stopAsking(reserved);
        return undefined;
      }
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  /** Another process asks about it. It goes to the end of the queue, so that others do not wait for it. */
  #lookAgain({ document, attempts }: Task): void {
    const { lookAgainMs = LOOK_AGAIN_MS } = this.#options;
    this.#queue.push({ document, attempts, readyMs: performance.now() + lookAgainMs });
  }

  #failed(task: Task, error: ModelError): void {
    if (error.failure === 'stopped') return;
    if (error.failure === 'barred') this.#end('barred', error.message);
    else if (error.failure === 'busy') this.#wasBusy(task, error);
    else {
      this.#giveUp(task.document, error);
      if (error.failure === 'malformed') this.#noteUseless(error.message);
    }
  }

  /** The document is asked about again after a pause, unless it was often enough, or nothing suggests that it will help. */
  #wasBusy({ document, attempts }: Task, error: ModelError): void {
    const { firstPauseMs = FIRST_PAUSE_MS } = this.#options;
    const pauseMs = error.retryAfterMs ?? firstPauseMs * 2 ** attempts * (0.75 + Math.random() / 2);
    if (pauseMs > LONGEST_REST_MS) {
      this.#end('rate_limit', error.message);
      return;
    }
    if (error.retryAfterMs !== undefined || error.status === 429) this.#pace.restFor(pauseMs);
    if (error.status !== 429) this.#inVain += 1;
    if (this.#answered === 0 && this.#inVain >= HOPELESS_REQUESTS) this.#end('unreachable', error.message);
    // It goes to the end of the queue, so that others do not wait for it.
    else if (attempts + 1 < ATTEMPTS)
      this.#queue.push({ document, attempts: attempts + 1, readyMs: performance.now() + pauseMs });
    else {
      this.#giveUp(document, error);
      const isHopeless = this.#answered === 0 && this.#failures.length >= HOPELESS_DOCUMENTS;
      if (isHopeless) this.#end('unreachable', error.message);
    }
  }

  #giveUp({ path }: AskedDocument, { message }: ModelError): void {
    this.#failures.push({ path, reason: message });
  }

  #noteUseless(reason: string): void {
    this.#uselessInARow += 1;
    const isKnownToAnswer = this.#answered + this.#cached > 0;
    if (this.#uselessInARow >= (isKnownToAnswer ? USELESS_LATER : USELESS_IN_A_ROW))
      this.#stopAsking('malformed', reason);
  }

  /** Running requests are waited for. */
  #stopAsking(by: AskStop, reason?: string): void {
    this.#stop ??= { by, ...(reason === undefined ? {} : { reason }) };
    this.#release();
  }

  #release(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  /** Running requests are given up. */
  #end(by: AskStop, reason?: string): void {
    this.#stopAsking(by, reason);
    this.#ending.abort();
  }
}

function formOf(
  format: (typeof FORMATS)[number],
  schema: ReturnType<typeof answerJsonSchema>,
  { outputTokens }: Reservation,
): Pick<ReplyOptions, 'responseFormat' | 'maxOutputTokens'> {
  if (format === 'none') return {};
  if (format === 'text') return { maxOutputTokens: outputTokens };
  const responseFormat = format === 'json_object' ? format : { name: 'knowledge_graph', schema };
  return { responseFormat, maxOutputTokens: outputTokens };
}

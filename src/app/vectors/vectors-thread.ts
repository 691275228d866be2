import type { Worker } from 'node:worker_threads';
import { reasonOf } from '../../core/errors.ts';
import { Listeners } from '../../core/listeners.ts';
import { programFile } from '../../core/program-file.ts';
import { startThread } from '../../core/program-thread.ts';
import type { NearAnswer, VectorSearch } from '../../core/vector-search.ts';
import { EmbeddingFigures, type EmbeddingView } from '../../vectors/figures.ts';
import type { VectorsTask } from './open-vectors.ts';
import type { VectorsReply, VectorsRequest } from './vectors-worker.ts';

/** The thread has a time limit of its own. This is how much longer to wait for it, in case it is busy or gone. */
const GRACE_MS = 1000;
/** The size of V8's young generation. By default it would be several times as much. */
const YOUNG_MEBIBYTES = 8;

/**
 * Makes and searches vectors in a separate thread, so that no request has to wait for it. The thread embeds new texts of docs and memory; of several
 * daemons of one state folder, one does so at a time.
 */
export class VectorsThread implements VectorSearch {
  readonly #worker: Worker;
  readonly #ended: Promise<void>;
  readonly #timeoutMs: number;
  readonly #waiting = new Map<number, (answer: NearAnswer) => void>();
  readonly #listeners = new Listeners();
  #lastId = 0;
  #figures: EmbeddingView;
  #revision = '';
  #lack: string | undefined;
  /** Why this thread can give no vectors; undefined as long as it can. */
  #failure: string | undefined;

  constructor(task: VectorsTask) {
    this.#timeoutMs = task.settings.questionTimeoutMs + GRACE_MS;
    this.#figures = new EmbeddingFigures(task.settings.model).view();
    this.#worker = startThread(programFile('app/vectors/vectors-worker.js'), {
      workerData: task,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MEBIBYTES },
    });
    this.#worker.on('message', (reply: VectorsReply) => this.#take(reply));
    this.#worker.on('error', (error) => this.#fail(reasonOf(error)));
    this.#worker.on('exit', () => this.#fail('the thread of vectors has ended'));
    this.#ended = new Promise((resolve) => this.#worker.once('exit', () => resolve()));
    this.#worker.unref();
  }

  async nearest(question: string, limit: number, signal?: AbortSignal): Promise<NearAnswer> {
    const answer = await this.#near(question, limit, signal);
    this.#lack = answer.lack;
    return answer;
  }

  lack(): string | undefined {
    return this.#lack;
  }

  #near(question: string, limit: number, signal: AbortSignal | undefined): Promise<NearAnswer> {
    if (this.#failure !== undefined) return Promise.resolve({ passages: [], lack: this.#failure });
    const id = ++this.#lastId;
    return new Promise((resolve) => {
      const end = (answer: NearAnswer) => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', stop);
        this.#waiting.delete(id);
        resolve(answer);
      };
      const stop = () => {
        this.#ask({ type: 'stop', id });
        end({ passages: [], lack: 'nobody waits for vectors any more' });
      };
      const timer = setTimeout(stop, this.#timeoutMs);
      this.#waiting.set(id, end);
      if (signal?.aborted) return stop();
      signal?.addEventListener('abort', stop, { once: true });
      this.#ask({ type: 'nearest', id, question, limit });
    });
  }

  revision(): string {
    return this.#revision;
  }

  figures(): EmbeddingView {
    return this.#figures;
  }

  /** @param listener is told when figures have changed */
  onChange(listener: () => void): void {
    this.#listeners.add(listener);
  }

  docsAt(found: ReadonlyMap<string, string>): void {
    this.#ask({ type: 'docs-at', found });
  }

  /** Callers that still wait get an error. @returns resolves when everything that the thread has is stored, and it has ended */
  close(): Promise<void> {
    this.#listeners.clear();
    this.#ask({ type: 'end' });
    for (const end of this.#waiting.values()) end({ passages: [], lack: 'vectors are closed' });
    return this.#ended;
  }

  #ask(request: VectorsRequest): void {
    this.#worker.postMessage(request);
  }

  #take(reply: VectorsReply): void {
    switch (reply.type) {
      case 'near':
        this.#waiting.get(reply.id)?.(reply.answer);
        break;
      case 'figures':
        this.#figures = reply.figures;
        this.#revision = reply.revision;
        this.#listeners.tell();
        break;
      case 'failed':
        this.#fail(reply.reason);
        break;
    }
  }

  #fail(reason: string): void {
    if (this.#failure !== undefined) return;
    this.#failure = reason;
    this.#figures = { ...this.#figures, failures: this.#figures.failures + 1, last_error: reason };
    for (const end of this.#waiting.values()) end({ passages: [], lack: reason });
    this.#listeners.tell();
  }
}

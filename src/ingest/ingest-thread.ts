import type { Worker } from 'node:worker_threads';
import { codeOfFailure, reasonOf } from '../core/errors.ts';
import { programFile } from '../core/program-file.ts';
import { startThread } from '../core/program-thread.ts';
import type { SchemaRules } from '../core/schema-rules.ts';
import { releaseFreeMemory } from '../system/memory.ts';
import type { IngestReply, IngestRequest, IngestTask } from './ingest-worker.ts';

/** The thread that reads documents into the index. It takes tens of megabytes, so it only lives while it is needed. */
export class IngestThread {
  #task: IngestTask;
  readonly #onReply: (reply: IngestReply) => void;
  readonly #onCrash: (error: unknown) => void;
  readonly #mayStart: () => void;
  #running: Running | undefined;

  /**
   * @param onReply called for each reply, in order
   * @param onCrash called if the thread ended because of a bug, and never for a problem of docs or store
   * @param mayStart throws the reason if no thread must be started now: an update then fails. Default: it always may
   */
  constructor(
    task: IngestTask,
    onReply: (reply: IngestReply) => void,
    onCrash: (error: unknown) => void,
    mayStart: () => void = () => {},
  ) {
    this.#task = task;
    this.#onReply = onReply;
    this.#onCrash = onCrash;
    this.#mayStart = mayStart;
  }

  /** Starts the thread early, for a request that is about to come. */
  start(): void {
    try {
      this.#running ??= this.#begin();
    } catch {
      // The request itself will tell.
    }
  }

  /** Makes the thread use another schema map from the next update on. An update that is running goes on with the previous map. */
  readBy(schema: SchemaRules | undefined): void {
    this.#task = { ...this.#task, docs: { ...this.#task.docs, schema } };
    const request: IngestRequest = { type: 'read-by', schema };
    this.#running?.worker.postMessage(request);
  }

  /** Brings the index up to date. `indexed`, `failed` or a crash follows. Parameters are as in {@link IngestRequest}. */
  update(paths: readonly string[], found: ReadonlyMap<string, string>): void {
    try {
      this.#running ??= this.#begin();
    } catch (error) {
      this.#onReply({ type: 'failed', code: codeOfFailure(error), reason: reasonOf(error) });
      return;
    }
    const request: IngestRequest = { type: 'update', paths, found };
    this.#running.worker.postMessage(request);
  }

  /** Ends the thread after its present batch. Resolves when it has ended. */
  async end(): Promise<void> {
    const running = this.#running;
    if (running === undefined) return;
    // From now on, a request starts another thread.
    this.#running = undefined;
    const request: IngestRequest = { type: 'end' };
    running.worker.postMessage(request);
    await running.ended;
  }

  #begin(): Running {
    this.#mayStart();
    const worker = startThread(programFile('ingest/ingest-worker.js'), { workerData: this.#task });
    worker.on('message', (reply: IngestReply) => this.#onReply(reply));
    const forget = (): void => {
      if (this.#running?.worker === worker) this.#running = undefined;
    };
    worker.on('error', (error) => {
      // The old thread ends some time later, and is not listened to any more.
      forget();
      this.#onCrash(error);
    });
    const ended = new Promise<void>((resolve) => {
      worker.once('exit', () => {
        forget();
        releaseFreeMemory();
        resolve();
      });
    });
    return { worker, ended };
  }
}

interface Running {
  readonly worker: Worker;
  readonly ended: Promise<void>;
}

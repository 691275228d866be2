import type { Worker } from 'node:worker_threads';
import { programFile } from '../core/program-file.ts';
import { startThread } from '../core/program-thread.ts';
import type { SchemaRules } from '../core/schema-rules.ts';
import { releaseFreeMemory } from '../system/memory.ts';
import type { IngestReply, IngestRequest, IngestTask } from './ingest-worker.ts';

/** The thread that reads documents into the index. It takes tens of megabytes, so it lives only while it is needed. */
export class IngestThread {
  #task: IngestTask;
  readonly #onReply: (reply: IngestReply) => void;
  readonly #onCrash: (error: unknown) => void;
  #running: Running | undefined;

  /**
   * @param onReply called for each reply, in order
   * @param onCrash called where the thread ended by an error of ours, never for what is wrong with docs or store
   */
  constructor(task: IngestTask, onReply: (reply: IngestReply) => void, onCrash: (error: unknown) => void) {
    this.#task = task;
    this.#onReply = onReply;
    this.#onCrash = onCrash;
  }

  /** Has the thread ready sooner for what is about to be asked. */
  start(): void {
    this.#running ??= this.#begin();
  }

  /** Has documents be read by another schema map from the next update on; one that is under way goes on by the one before. */
  readBy(schema: SchemaRules | undefined): void {
    this.#task = { ...this.#task, docs: { ...this.#task.docs, schema } };
    const request: IngestRequest = { type: 'read-by', schema };
    this.#running?.worker.postMessage(request);
  }

  /** Brings the index up to date; `indexed`, `failed` or a crash follows. Parameters are as in {@link IngestRequest}. */
  update(paths: readonly string[], found: ReadonlyMap<string, string>): void {
    this.start();
    const request: IngestRequest = { type: 'update', paths, found };
    this.#running?.worker.postMessage(request);
  }

  /** Ends the thread, after the batch it is at. Resolves when it has ended. */
  async end(): Promise<void> {
    const running = this.#running;
    if (running === undefined) return;
    // Who asks from now on gets another one.
    this.#running = undefined;
    const request: IngestRequest = { type: 'end' };
    running.worker.postMessage(request);
    await running.ended;
  }

  #begin(): Running {
    const worker = startThread(programFile('ingest/ingest-worker.js'), { workerData: this.#task });
    worker.on('message', (reply: IngestReply) => this.#onReply(reply));
    const forget = (): void => {
      if (this.#running?.worker === worker) this.#running = undefined;
    };
    worker.on('error', (error) => {
      // It ends some time later, and hears nothing any more.
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

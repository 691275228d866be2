import { once } from 'node:events';
import { clearTimeout, setTimeout } from 'node:timers';
import { MessageChannel, Worker } from 'node:worker_threads';
import type { EdgeType } from './core/graph-model.ts';
import type { Query } from './core/resolver.ts';
import type { Side } from './graph/queries.ts';
import type { NodeForm } from './graph/slow-questions.ts';
import type { SlowReply, SlowRequest, SlowTask, SlowWork } from './slow-worker.ts';
import { releaseFreeMemory } from './system/memory.ts';

/** The thread takes tens of megabytes, so it ends when nobody asks for so long. */
const KEEP_MS = 5000;

interface Running {
  readonly worker: Worker;
  /** Rejects when the thread ends, however it does. */
  readonly ended: Promise<never>;
}

/** What takes long, asked in a thread of its own, which is there while it is needed. Answers are of the graph as the thread finds it. */
export class SlowThread implements SlowWork {
  readonly #task: SlowTask;
  readonly #keepMs: number;
  #running: Running | undefined;
  #waiting = 0;
  #endTimer: NodeJS.Timeout | undefined;

  /** @param keepMs how long it waits for another question */
  constructor(task: SlowTask, keepMs = KEEP_MS) {
    this.#task = task;
    this.#keepMs = keepMs;
  }

  edgesText(type: EdgeType) {
    return this.#ask('edgesText', [type]);
  }

  wholeGraphText() {
    return this.#ask('wholeGraphText', []);
  }

  pathText(fromId: number, toId: number) {
    return this.#ask('pathText', [fromId, toId]);
  }

  nodePage(id: number, form: NodeForm) {
    return this.#ask('nodePage', [id, form]);
  }

  namesAtSide(id: number, side: Side) {
    return this.#ask('namesAtSide', [id, side]);
  }

  similar(text: string, limit: number) {
    return this.#ask('similar', [text, limit]);
  }

  searchDocs(query: Query) {
    return this.#ask('searchDocs', [query]);
  }

  /** Who still waits for an answer is told that there is none. */
  close(): void {
    clearTimeout(this.#endTimer);
    void this.#running?.worker.terminate();
    this.#running = undefined;
  }

  async #ask<Question extends keyof SlowWork>(
    question: Question,
    parameters: Parameters<SlowWork[Question]>,
  ): Promise<Awaited<ReturnType<SlowWork[Question]>>> {
    clearTimeout(this.#endTimer);
    this.#running ??= this.#start();
    const { worker, ended } = this.#running;
    const { port1, port2 } = new MessageChannel();
    const request: SlowRequest = { question, parameters, port: port2 };
    this.#waiting += 1;
    worker.postMessage(request, [port2]);
    try {
      const replies: SlowReply<Awaited<ReturnType<SlowWork[Question]>>>[] = await Promise.race([
        once(port1, 'message'),
        ended,
      ]);
      return answerOf(replies[0]);
    } finally {
      port1.close();
      this.#waiting -= 1;
      if (this.#waiting === 0) this.#endTimer = setTimeout(() => this.#end(), this.#keepMs).unref();
    }
  }

  #start(): Running {
    const worker = new Worker(new URL('./slow-worker.js', import.meta.url), { workerData: this.#task });
    // Whoever waits for an answer keeps the process alive; a thread that waits for questions need not.
    worker.unref();
    const ended = new Promise<never>((_resolve, reject) => {
      worker.once('error', reject);
      worker.once('exit', () => {
        if (this.#running?.worker === worker) this.#running = undefined;
        releaseFreeMemory();
        reject(new Error('the thread that was asked has ended'));
      });
    });
    // Each that waits is told; with nobody waiting it is no failure.
    ended.catch(() => undefined);
    return { worker, ended };
  }

  #end(): void {
    const request: SlowRequest = 'end';
    this.#running?.worker.postMessage(request);
    this.#running = undefined;
  }
}

/** @throws Error where the thread could not answer */
function answerOf<Answer>(reply: SlowReply<Answer> | undefined): Answer {
  if (reply !== undefined && 'answer' in reply) return reply.answer;
  throw new Error(`a question failed: ${reply?.failure}`);
}

import { once } from 'node:events';
import { clearTimeout, setTimeout } from 'node:timers';
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import { reasonOf } from '../../core/errors.ts';
import { releaseFreeMemory } from '../../system/memory.ts';

/** Questions by their names. Parameters and answers are plain data; texts come back in UTF-8. */
type Questions<Work> = { [Question in keyof Work]: (...parameters: never) => unknown };

/** A question, and where to answer it; or the end. */
type Request =
  | { readonly question: string; readonly parameters: readonly unknown[]; readonly port: MessagePort }
  | 'end';

/** What it was, or why there is no answer. */
type Reply<Answer> = { readonly answer: Answer } | { readonly failure: string };

interface Running {
  readonly worker: Worker;
  /** Rejects when the thread ends, however it does. */
  readonly ended: Promise<never>;
}

/** The thread takes tens of megabytes, so it ends when nobody asks for so long. */
const KEEP_MS = 5000;

/** A thread that answers questions, one after another, which is there while it is needed. */
export class QuestionThread<Work extends Questions<Work>> {
  readonly #module: URL;
  #task: unknown;
  readonly #keepMs: number;
  #running: Running | undefined;
  #waiting = 0;
  #endTimer: NodeJS.Timeout | undefined;

  /**
   * @param module which calls {@link answerQuestions}
   * @param task plain data that it is started with
   * @param keepMs how long it waits for another question
   */
  constructor(module: URL, task: unknown, keepMs = KEEP_MS) {
    this.#module = module;
    this.#task = task;
    this.#keepMs = keepMs;
  }

  /** Has the thread work on another task from the next question on. */
  renew(task: unknown): void {
    this.#task = task;
    this.#end();
  }

  /** @throws Error where the thread could not answer, or was closed */
  async ask<Question extends keyof Work & string>(
    question: Question,
    parameters: Parameters<Work[Question]>,
  ): Promise<Awaited<ReturnType<Work[Question]>>> {
    clearTimeout(this.#endTimer);
    this.#running ??= this.#start();
    const { worker, ended } = this.#running;
    const { port1, port2 } = new MessageChannel();
    const request: Request = { question, parameters, port: port2 };
    this.#waiting += 1;
    worker.postMessage(request, [port2]);
    try {
      const replies: Reply<Awaited<ReturnType<Work[Question]>>>[] = await Promise.race([
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

  /** Who still waits for an answer is told that there is none. */
  close(): void {
    clearTimeout(this.#endTimer);
    void this.#running?.worker.terminate();
    this.#running = undefined;
  }

  #start(): Running {
    const worker = new Worker(this.#module, { workerData: this.#task });
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
    const request: Request = 'end';
    this.#running?.worker.postMessage(request);
    this.#running = undefined;
  }
}

/**
 * Answers what a {@link QuestionThread} asks, in the thread itself, until the end.
 * @param end lets go of what the work stands on
 */
export function answerQuestions<Work extends Questions<Work>>(
  port: MessagePort,
  work: Work,
  end: () => void,
): void {
  port.on('message', (request: Request) => {
    if (request === 'end') {
      end();
      port.close();
      return;
    }
    const { question, parameters, port: replyTo } = request;
    try {
      reply(replyTo, Reflect.apply(Reflect.get(work, question), work, parameters));
    } catch (error) {
      const failed: Reply<never> = { failure: reasonOf(error) };
      replyTo.postMessage(failed);
    }
    replyTo.close();
  });
}

/** Texts are handed over, not copied, and not read again by the thread that serves. */
function reply(port: MessagePort, answer: unknown): void {
  const bytes = typeof answer === 'string' ? new TextEncoder().encode(answer) : undefined;
  const told: Reply<unknown> = { answer: bytes ?? answer };
  port.postMessage(told, bytes === undefined ? [] : [bytes.buffer]);
}

/** @throws Error where the thread could not answer */
function answerOf<Answer>(reply: Reply<Answer> | undefined): Answer {
  if (reply !== undefined && 'answer' in reply) return reply.answer;
  throw new Error(`a question failed: ${reply?.failure}`);
}

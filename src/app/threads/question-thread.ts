import { once } from 'node:events';
import { clearTimeout, setTimeout } from 'node:timers';
import { MessageChannel, type MessagePort, receiveMessageOnPort, type Worker } from 'node:worker_threads';
import { reasonOf, UserError } from '../../core/errors.ts';
import { startThread } from '../../core/program-thread.ts';
import { releaseFreeMemory } from '../../system/memory.ts';

/** Questions by their names. Parameters and answers are plain data; texts come back in UTF-8. */
type Questions<Work> = { [Question in keyof Work]: (...parameters: never) => unknown };

/** A question with the port for the answer, or the end. */
type Request =
  | { readonly question: string; readonly parameters: readonly unknown[]; readonly port: MessagePort }
  | 'end';

/** The answer, or why there is none: an error that a person can mend, or a bug. */
type Reply<Answer> =
  | { readonly answer: Answer }
  | { readonly failure: string; readonly isForPerson: boolean };

interface Running {
  readonly worker: Worker;
  /** Rejects when the thread ends, for whatever reason. */
  readonly ended: Promise<never>;
}

export interface QuestionThreadOptions {
  /** How long the thread waits for another question. Default: 5 s */
  readonly keepMs?: number | undefined;
  /** Throws the error for whoever asks if a thread must not be started now. */
  readonly mayStart?: (() => void) | undefined;
}

/** The thread takes tens of megabytes, so it ends when nobody has asked anything for this long. */
const KEEP_MS = 5000;
const HAS_ENDED = 'the thread that was asked has ended';

/** A thread that answers questions, one after another. It is started at the first one and ends when nobody asks any more. */
export class QuestionThread<Work extends Questions<Work>> {
  readonly #module: URL;
  #task: unknown;
  readonly #options: QuestionThreadOptions;
  #running: Running | undefined;
  #waiting = 0;
  #endTimer: NodeJS.Timeout | undefined;
  readonly #closing = new AbortController();

  /**
   * @param module the program of the thread, which calls {@link answerQuestions}
   * @param task plain data that the thread is started with
   */
  constructor(module: URL, task: unknown, options: QuestionThreadOptions = {}) {
    this.#module = module;
    this.#task = task;
    this.#options = options;
  }

  /** Uses another task from the next question on. */
  renew(task: unknown): void {
    this.#task = task;
    this.#end();
  }

  /** @throws Error if the thread could not answer, or was closed; UserError for what a person can mend */
  async ask<Question extends keyof Work & string>(
    question: Question,
    parameters: Parameters<Work[Question]>,
  ): Promise<Awaited<ReturnType<Work[Question]>>> {
    if (this.#closing.signal.aborted) throw new Error(HAS_ENDED);
    clearTimeout(this.#endTimer);
    this.#running ??= this.#start();
    const { worker, ended } = this.#running;
    const { port1, port2 } = new MessageChannel();
    const request: Request = { question, parameters, port: port2 };
    this.#waiting += 1;
    worker.postMessage(request, [port2]);
    try {
      return answerOf(await replyAt<Awaited<ReturnType<Work[Question]>>>(port1, ended));
    } finally {
      port1.close();
      this.#waiting -= 1;
      if (this.#waiting === 0) this.#endTimer = this.#endLater();
    }
  }

  /** Ends the thread. Questions that wait for an answer are rejected, and so are later ones, for which no other thread is started. */
  close(): void {
    this.#closing.abort();
    clearTimeout(this.#endTimer);
    void this.#running?.worker.terminate();
    this.#running = undefined;
  }

  #start(): Running {
    this.#options.mayStart?.();
    const worker = startThread(this.#module, { workerData: this.#task });
    // A message port that waits for an answer keeps the process alive; a thread that waits for questions need not.
    worker.unref();
    const ended = new Promise<never>((_resolve, reject) => {
      worker.once('error', (error) => reject(asThrown(error)));
      worker.once('exit', () => {
        if (this.#running?.worker === worker) this.#running = undefined;
        releaseFreeMemory();
        reject(new Error(HAS_ENDED));
      });
    });
    // Every waiting question is rejected by it; if none waits, nothing has failed.
    ended.catch(() => undefined);
    return { worker, ended };
  }

  #endLater(): NodeJS.Timeout {
    return setTimeout(() => this.#end(), this.#options.keepMs ?? KEEP_MS).unref();
  }

  #end(): void {
    const request: Request = 'end';
    this.#running?.worker.postMessage(request);
    this.#running = undefined;
  }
}

/**
 * The other end of a {@link QuestionThread}, in the thread itself: answers its questions until it ends.
 * @param end closes what the work uses
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
      const failed: Reply<never> = { failure: reasonOf(error), isForPerson: error instanceof UserError };
      replyTo.postMessage(failed);
    }
    replyTo.close();
  });
}

/** An error that ends a thread arrives as a copy, which has the fields of its class, but is no instance of it. */
function asThrown(error: unknown): unknown {
  return error instanceof Error && 'exitStatus' in error ? new UserError(error.message) : error;
}

/** Texts are moved in UTF-8: neither copied, nor encoded again by the thread that serves the kernel. */
function reply(port: MessagePort, answer: unknown): void {
  const bytes = typeof answer === 'string' ? new TextEncoder().encode(answer) : undefined;
  const told: Reply<unknown> = { answer: bytes ?? answer };
  port.postMessage(told, bytes === undefined ? [] : [bytes.buffer]);
}

/** @param ended rejects when nothing more will come. @throws the same error */
async function replyAt<Answer>(port: MessagePort, ended: Promise<never>): Promise<Reply<Answer> | undefined> {
  try {
    const replies: Reply<Answer>[] = await Promise.race([once(port, 'message'), ended]);
    return replies[0];
  } catch (error) {
    // If this thread was busy while the other one answered and then ended, the end is noticed first.
    const come: { readonly message: Reply<Answer> } | undefined = receiveMessageOnPort(port);
    if (come === undefined) throw error;
    return come.message;
  }
}

/** @throws Error if the thread could not answer; UserError for what a person can mend */
function answerOf<Answer>(reply: Reply<Answer> | undefined): Answer {
  if (reply !== undefined && 'answer' in reply) return reply.answer;
  if (reply?.isForPerson) throw new UserError(reply.failure);
  throw new Error(`a question failed: ${reply?.failure}`);
}

import { isPromiseLike } from '../../core/awaitable.ts';
import { reasonOf } from '../../core/errors.ts';
import type { Awaitable, OpContext } from '../../core/resolver.ts';
import { type BugReporter, ERRNO, errnoOf, unfailing } from '../errno.ts';
import type { NativeHandler, Operation, Replies, Requests, Signal, Thread } from './binding.ts';

/** The context of a request. */
export interface RequestContext extends OpContext {
  /** The memory of the thread that waits for the answer. */
  readonly thread: Thread;
}

/** How one operation is served. `T` is the answer of the tree. */
export interface Service<K extends Operation, T> {
  run(context: RequestContext, ...request: Requests[K]): Awaitable<T>;
  /** @throws Error if the value cannot be sent as an answer */
  encode(value: T, ...request: Requests[K]): readonly [result: number, ...reply: Replies[K]];
  /** What goes with an error. */
  blank(...request: Requests[K]): Replies[K];
  /** Releases a result that nobody will use, since the caller got ETIMEDOUT before it was there. */
  discard?(value: T): void;
}

/**
 * Stands between libfuse's threads and the tree. Every request is answered exactly once, whatever the service does: throw, reject, return an invalid value, or
 * not return at all. A result that is there at once is sent at once. A caller that gets no answer could not even be killed.
 */
export class Guard {
  readonly #deadlineMs: number;
  readonly #report: BugReporter;
  readonly #pending = new Map<Promise<void>, Operation>();
  #requests = 0;
  #timeouts = 0;

  constructor(deadlineMs: number, report: BugReporter) {
    this.#deadlineMs = deadlineMs;
    this.#report = unfailing(report);
  }

  figures(): { requests: number; pending: number; timeouts: number } {
    return { requests: this.#requests, pending: this.#pending.size, timeouts: this.#timeouts };
  }

  /** Resolves when all requests that are waiting now have been answered. */
  async settled(): Promise<void> {
    await Promise.all(this.#pending.keys());
  }

  /** Resolves when the reads that are waiting now have been answered. @returns undefined if none is waiting */
  readsSettled(): Promise<unknown> | undefined {
    const reads = [...this.#pending].flatMap(([answered, operation]) =>
      operation === 'read' ? [answered] : [],
    );
    return reads.length === 0 ? undefined : Promise.all(reads);
  }

  /** Reports a failure outside of any request. */
  report(error: unknown, activity: string): void {
    this.#report(error, activity);
  }

  handler<K extends Operation, T>(operation: K, signal: Signal<K>, service: Service<K, T>): NativeHandler<K> {
    return (thread: Thread, _code: number, ...request: Requests[K]) => {
      this.#requests += 1;
      const context = new AbortableContext(thread);
      const refuse = (errno: number): void => signal(thread, -errno, ...service.blank(...request));
      const fail = (error: unknown): void => refuse(errnoOf(error, operation, this.#report));
      const answer = (value: T): void => {
        try {
          signal(thread, ...service.encode(value, ...request));
        } catch (error) {
          fail(error);
        }
      };
      let value: Awaitable<T>;
      try {
        value = service.run(context, ...request);
      } catch (error) {
        fail(error);
        return;
      }
      if (!isPromiseLike(value)) answer(value);
      else
        this.#later(value, {
          operation,
          context,
          answer,
          fail,
          refuse,
          discard: service.discard?.bind(service),
        });
    };
  }

  #later<T>(value: PromiseLike<T>, request: WaitingRequest<T>): void {
    const answered = new Promise<void>((resolve) => {
      let waiting = true;
      const end = (send: () => void): boolean => {
        if (!waiting) return false;
        waiting = false;
        clearTimeout(deadline);
        send();
        resolve();
        return true;
      };
      const deadline = setTimeout(() => {
        this.#timeouts += 1;
        end(() => request.refuse(ERRNO.ETIMEDOUT));
        request.context.abort();
      }, this.#deadlineMs);
      Promise.resolve(value).then(
        (result) => {
          if (!end(() => request.answer(result))) this.#discard(result, request);
        },
        (error: unknown) => end(() => request.fail(error)),
      );
    });
    this.#pending.set(answered, request.operation);
    void answered.then(() => this.#pending.delete(answered));
  }

  #discard<T>(value: T, { discard, operation }: WaitingRequest<T>): void {
    try {
      discard?.(value);
    } catch (error) {
      this.#report(
        new Error(`cannot give back a late answer: ${reasonOf(error)}`, { cause: error }),
        operation,
      );
    }
  }
}

interface WaitingRequest<T> {
  readonly operation: Operation;
  readonly context: AbortableContext;
  readonly answer: (value: T) => void;
  readonly fail: (error: unknown) => void;
  readonly refuse: (errno: number) => void;
  readonly discard: ((value: T) => void) | undefined;
}

/** Its signal is made when it is first asked for, since most requests are answered before that. */
class AbortableContext implements RequestContext {
  readonly thread: Thread;
  #controller: AbortController | undefined;

  constructor(thread: Thread) {
    this.thread = thread;
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    return this.#controller.signal;
  }

  abort(): void {
    this.#controller ??= new AbortController();
    this.#controller.abort();
  }
}

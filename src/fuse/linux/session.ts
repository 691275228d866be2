/** Long because every way in which a request can end is here. */
import { availableParallelism, constants } from 'node:os';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { isPromiseLike } from '../../core/awaitable.ts';
import type { Awaitable } from '../../core/resolver.ts';
import { giveWay, lastErrno, readNow, waitBrieflyToRead, waitToRead, writeNow } from '../../system/libc.ts';
import { type BugReporter, ERRNO, errnoOf } from '../errno.ts';
import type { Callers } from './callers.ts';
import { type Answer, type Handlers, Refusal } from './handler.ts';
import { encodeHeader, PAYLOAD } from './protocol/answer.ts';
import { MAX_TRANSFER_BYTES } from './protocol/init.ts';
import { OPCODE, type Operation } from './protocol/opcodes.ts';
import { decodeInterrupt, decodeRequest, type Request } from './protocol/request.ts';
import { RequestContext } from './request-context.ts';
import { type Service, servicesOf } from './services.ts';
import type { SlowLocks } from './slow-locks.ts';

const { EINTR, ENODEV, ENOENT, ENOSYS } = constants.errno;

export interface SessionOptions {
  /** Of /dev/fuse, non-blocking. */
  readonly descriptor: number;
  readonly handlers: Handlers;
  readonly callers: Callers;
  /** Learns of each request that is answered later, and may hold locks of the kernel until then. */
  readonly locks: Pick<SlowLocks, 'hold'>;
  /** How long a caller waits for an answer before it gets ETIMEDOUT. */
  readonly deadlineMs: number;
  readonly report: BugReporter;
  /** How many cores this process shares with its callers. Default: as many as it may run on. */
  readonly cores?: number | undefined;
  /** Called between requests, before the thread sleeps, until it returns false: it had nothing left to do. */
  readonly prefetch?: (() => boolean) | undefined;
  /** A descriptor of /proc/self/mountinfo, and what to call when something was mounted or unmounted. */
  readonly mounts?: { readonly descriptor: number; changed(): void } | undefined;
}

/** The largest request: a WRITE with its header. */
const REQUEST_BYTES = MAX_TRANSFER_BYTES + 4096;
/** How long the thread polls for the next request before it sleeps: a sleeping core takes about as long to wake up. */
const SPIN_MS = 0.2;
/** With one core polling is of no use, since the callers need that core: the thread sleeps, but no longer than this at first. */
const NAP_MS = 1;
/** Spare output buffers that are kept, of a mebibyte each. */
const MAX_SPARE = 4;
/** How often to look whether a caller that got a signal and lives on has to end after all. */
const LOOK_AGAIN_MS = 200;
/** After requests without a break for this long, timers and everything else get their turn. */
const TURN_MS = 4;

/**
 * Takes requests from the kernel and answers each exactly once, whatever its handler does. Requests that come close together are served in
 * one go, without a turn of the event loop between them; a request whose handler returns a promise is answered when that settles.
 */
export class Session {
  readonly #options: SessionOptions;
  /** By the number of the operation. */
  readonly #services: readonly (Service | undefined)[];
  readonly #pending = new Map<number, Pending>();
  readonly #in = Buffer.alloc(REQUEST_BYTES);
  #out = Buffer.alloc(MAX_TRANSFER_BYTES + 4096);
  /** Buffers that {@link keepOutput} lent out and got back, for the next who ask. */
  readonly #spare: Buffer<ArrayBuffer>[] = [];
  readonly #spinMs: number;
  #requests = 0;
  #timeouts = 0;
  /** Whether somebody waits for the answer to the latest request. */
  #wasAwaited = false;
  readonly #life: { isOver: boolean } = { isOver: false };

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#services = servicesOf(options.handlers);
    this.#spinMs = (options.cores ?? availableParallelism()) > 1 ? SPIN_MS : 0;
  }

  figures(): { requests: number; pending: number; timeouts: number } {
    return { requests: this.#requests, pending: this.#pending.size, timeouts: this.#timeouts };
  }

  /**
   * The buffer of the next answer, for a handler that fills it before the answer is encoded. It is the handler's until that returns;
   * a handler that returns a promise has to {@link keepOutput} it.
   */
  get output(): Buffer {
    return this.#out;
  }

  /** Leaves the output buffer to a handler and takes another for the next answer. @returns a function to call once, when the handler is done with it */
  keepOutput(): () => void {
    const kept = this.#out;
    this.#out = this.#spare.pop() ?? Buffer.alloc(kept.length);
    return () => {
      if (this.#spare.length < MAX_SPARE) this.#spare.push(kept);
    };
  }

  /** Serves until the connection is gone. */
  async run(): Promise<void> {
    try {
      while (!this.#life.isOver) {
        const { descriptor, mounts } = this.#options;
        if (await waitToRead(descriptor, mounts?.descriptor)) mounts?.changed();
        await this.#serveBurst();
      }
    } finally {
      this.end();
    }
  }

  /** Stops writing answers: nobody waits for them any more, and the number of the descriptor may soon stand for another file. */
  end(): void {
    this.#life.isOver = true;
    for (const { deadline, abort, release } of this.#pending.values()) {
      clearTimeout(deadline);
      abort();
      release();
    }
    this.#pending.clear();
  }

  async #serveBurst(): Promise<void> {
    let nowMs = performance.now();
    let lastMs = nowMs;
    let turnMs = nowMs;
    for (;;) {
      let served = 0;
      let givesWay = false;
      while (nowMs - turnMs < TURN_MS && !givesWay && this.#serveNext()) {
        served += 1;
        nowMs = performance.now();
        givesWay = this.#spinMs === 0 && this.#wasAwaited;
      }
      if (this.#life.isOver) return;
      if (served > 0) lastMs = nowMs;
      else nowMs = performance.now();
      // Counts as use, since it changes errno: the device has to be read once more before `#isGone` may look at that.
      if (served === 0 && this.prefetch()) lastMs = nowMs = performance.now();
      const isQuiet = served === 0 && nowMs - lastMs >= this.#spinMs;
      if (isQuiet && (this.#isGone() || !this.#comesSoon())) return;
      const isTurnOver = nowMs - turnMs >= TURN_MS;
      if (!isQuiet && !isTurnOver) giveWay();
      if (isTurnOver || (served === 0 && this.#pending.size > 0)) {
        await new Promise(setImmediate);
        turnMs = performance.now();
      }
    }
  }

  /** Does work ahead of requests, unless there is one core only: the caller would have to wait for that too. @returns whether there was anything to do */
  prefetch(): boolean {
    if (this.#spinMs === 0) return false;
    try {
      return this.#options.prefetch?.() ?? false;
    } catch (error) {
      this.#report(error, 'prefetch');
      return true;
    }
  }

  /** Whether the last read gave nothing because the mount is gone, rather than for want of a request, or because of a signal. */
  #isGone(): boolean {
    if (lastErrno() === ENODEV) this.#life.isOver = true;
    return this.#life.isOver;
  }

  /** With one core: leaves it to the others, and waits a moment for their next request. @returns whether there is one */
  #comesSoon(): boolean {
    if (this.#spinMs > 0 || this.#pending.size > 0) return false;
    return waitBrieflyToRead(this.#options.descriptor, NAP_MS);
  }

  /** @returns whether there was a request */
  #serveNext(): boolean {
    const { descriptor } = this.#options;
    const sizeBytes = readNow(descriptor, this.#in, this.#in.length);
    if (sizeBytes > 0) {
      this.serve(this.#in.subarray(0, sizeBytes));
      return true;
    }
    if (sizeBytes === 0) this.#life.isOver = true;
    return false;
  }

  /** Serves one request. It is answered at once, or later if its handler returns a promise. */
  serve(message: Buffer): void {
    this.#requests += 1;
    const request = this.#decode(message);
    if (request === undefined) return;
    const service = this.#services[request.opcode];
    this.#wasAwaited = service?.isAwaited ?? true;
    if (service === undefined) {
      this.#refuse(request.unique, ENOSYS);
      return;
    }
    const { operation, handler, isEntered } = service;
    const context = new RequestContext(request, this.#options.callers);
    let answer: Awaitable<Answer | undefined>;
    try {
      const identified = isEntered ? this.#options.callers.identify(request.pid) : undefined;
      if (identified === undefined) answer = handler(request, context);
      else {
        // The next request will overwrite the buffer of this one.
        const kept = decodeRequest(Buffer.from(message));
        answer = identified.then(() => {
          // What the handler works on may be closed by now.
          if (this.#life.isOver) throw new Refusal(ENODEV);
          return handler(kept, context);
        });
      }
    } catch (error) {
      this.#fail(request.unique, operation, error);
      return;
    }
    if (isPromiseLike(answer)) this.#answerLater(request, operation, context, answer);
    else if (this.#answer(request.unique, operation, answer)) this.#doRest(operation, context);
  }

  /** Does what the caller did not have to wait for. Not called for a request that was refused or given up. */
  #doRest(operation: Operation, context: RequestContext): void {
    try {
      context.answered();
    } catch (error) {
      this.#report(error, operation);
    }
  }

  /** @returns undefined for a message that has no answer: it is malformed, or it interrupts another request */
  #decode(message: Buffer): Request | undefined {
    try {
      const request = decodeRequest(message);
      if (request.opcode !== OPCODE.interrupt) return request;
      void this.#interrupted(decodeInterrupt(request));
      return undefined;
    } catch (error) {
      this.#report(error, 'request');
      return undefined;
    }
  }

  /**
   * The caller of a request got a signal. The kernel says so once, for any signal, and lets even a caller that has to end wait for the answer. A
   * caller that ends is given up; one that lives on still has to get its answer, as it would from a disk.
   */
  async #interrupted(unique: number): Promise<void> {
    const pending = this.#pending.get(unique);
    if (pending === undefined) return;
    const isWaiting = (): boolean => this.#pending.get(unique) === pending;
    for (;;) {
      const isEnding = await this.#options.callers.isEnding(pending.thread);
      if (!isWaiting()) return;
      if (isEnding === true) pending.giveUp(EINTR);
      // Nobody can tell, for example for a process in another PID namespace.
      if (isEnding === undefined) pending.abort();
      if (isEnding !== false) return;
      await delay(LOOK_AGAIN_MS, undefined, { ref: false });
      if (!isWaiting()) return;
    }
  }

  #answerLater(
    { unique, nodeId, pid }: Pick<Request, 'unique' | 'nodeId' | 'pid'>,
    operation: Operation,
    context: RequestContext,
    answer: PromiseLike<Answer | undefined>,
  ): void {
    const release = this.#options.locks.hold({ nodeId }, operation);
    const end = (): boolean => {
      clearTimeout(deadline);
      return this.#pending.delete(unique);
    };
    const giveUp = (errno: number): void => {
      if (end()) this.#refuse(unique, errno);
      release();
      context.abort();
    };
    const deadline = setTimeout(() => {
      this.#timeouts += 1;
      giveUp(ERRNO.ETIMEDOUT);
    }, this.#options.deadlineMs);
    this.#pending.set(unique, { deadline, thread: pid, abort: () => context.abort(), giveUp, release });
    Promise.resolve(answer).then(
      (value) => {
        const isWaited = end();
        const isTaken = isWaited && this.#answer(unique, operation, value);
        if (!isWaited) this.#undo(operation, value);
        release();
        if (isTaken) this.#doRest(operation, context);
      },
      (error: unknown) => {
        if (end()) this.#fail(unique, operation, error);
        release();
      },
    );
  }

  /** @returns whether the caller has got what it asked for */
  #answer(unique: number, operation: Operation, answer: Answer | undefined): boolean {
    if (answer === undefined) return true;
    let payloadBytes: number;
    try {
      if (answer.errno !== undefined) {
        this.#refuse(unique, answer.errno);
        return false;
      }
      payloadBytes = answer.encode(this.#out);
      if (!(payloadBytes >= 0 && PAYLOAD + payloadBytes <= this.#out.length)) {
        throw new RangeError(`an answer of ${payloadBytes} bytes`);
      }
    } catch (error) {
      this.#undo(operation, answer);
      this.#fail(unique, operation, error);
      return false;
    }
    const isTaken = this.#send(unique, 0, payloadBytes);
    if (!isTaken) this.#undo(operation, answer);
    return isTaken;
  }

  #fail(unique: number, operation: Operation, error: unknown): void {
    this.#refuse(unique, error instanceof Refusal ? error.errno : errnoOf(error, operation, this.#report));
  }

  #refuse(unique: number, errno: number): void {
    this.#send(unique, errno, 0);
  }

  /** @returns whether the kernel took the answer: it does not if the caller was killed meanwhile, or the mount is gone */
  #send(unique: number, errno: number, payloadBytes: number): boolean {
    const length = encodeHeader(this.#out, unique, errno, payloadBytes);
    if (writeNow(this.#options.descriptor, this.#out, length) === length) return true;
    const reason = lastErrno();
    if (reason === ENODEV) this.#life.isOver = true;
    else if (reason !== ENOENT) {
      this.#report(new Error(`the kernel does not take an answer: errno ${reason}`), 'answer');
      // The caller still waits for an answer.
      if (errno !== ERRNO.EIO) this.#refuse(unique, ERRNO.EIO);
    }
    return false;
  }

  #undo(operation: Operation, answer: Answer | undefined): void {
    try {
      answer?.undo?.();
    } catch (error) {
      this.#report(error, operation);
    }
  }

  readonly #report: BugReporter = (error, operation) => {
    try {
      this.#options.report(error, operation);
    } catch {
      // A reporter that fails has nobody to tell; the caller still gets its answer.
    }
  };
}

/** A request whose answer is a promise. */
interface Pending {
  readonly deadline: NodeJS.Timeout;
  /** The thread that waits for the answer; 0 if that is not known. */
  readonly thread: number;
  abort(): void;
  /** Answers with an error; what the handler still comes up with is undone. */
  giveUp(errno: number): void;
  release(): void;
}

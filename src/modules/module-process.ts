import { clearTimeout, setImmediate, setTimeout } from 'node:timers';
import { isErrnoCode, reasonOf } from '../core/errors.ts';
import { StartedProcesses } from './end-processes.ts';
import { hidingSecrets } from './hidden-secrets.ts';
import { ModuleChild } from './module-child.ts';
import { ModuleFailure } from './module-failure.ts';
import type { ConfigFault, ModuleQuestion, ModuleReply, ModuleTask, SeenPlace } from './wire.ts';

export interface ModuleProcessOptions {
  readonly task: ModuleTask;
  /** The time limit of each question. */
  readonly timeoutMs: number;
  /** How long it waits for another question, unless it stays up. Default 60 s. */
  readonly keepMs?: number;
  readonly onChanged: (paths: readonly string[]) => void;
  readonly onNote: (message: string) => void;
  /** Called if its config is wrong, or its code is not what was trusted. @returns the message for people */
  readonly explain: (reason: string, faults: readonly ConfigFault[]) => string;
  readonly onState: () => void;
}

export type ModuleState = 'idle' | 'running' | 'failed';

const KEEP_MS = 60_000;
/** A module that does not answer a ping within this time is considered to be in an endless loop. */
const PONG_WITHIN_MS = 1000;
/** How many questions may be given up while the module may still be working on them. */
const MAX_GIVEN_UP = 64;
const MAX_WAITING = 256;
const END_WITHIN_MS = 1000;
const FIRST_REST_MS = 250;
const LONGEST_REST_MS = 30_000;

interface Waiting {
  readonly timer: NodeJS.Timeout;
  /** Whether the question is about the module as a whole: without an answer the module shows nothing. */
  readonly isOfAll: boolean;
  settle(outcome: SeenPlace | undefined | ModuleFailure): void;
}

interface Running {
  readonly child: ModuleChild;
  readonly waiting: Map<number, Waiting>;
  readonly started: StartedProcesses;
  givenUp: number;
  staysUp: boolean;
  pong: NodeJS.Timeout | undefined;
}

/** The process of a module: started by a question, ended when it hangs or nobody asks, and after a crash started again only after a pause. */
export class ModuleProcess {
  readonly #options: ModuleProcessOptions;
  readonly #hide: (text: string) => string;
  #running: Running | undefined;
  #nextId = 1;
  readonly #closing = new AbortController();
  readonly #wrong: { unusable?: string; failure?: string | undefined; ofAll?: string | undefined } = {};
  #restMs = 0;
  #restUntilMs = 0;
  #endTimer: NodeJS.Timeout | undefined;

  constructor(options: ModuleProcessOptions) {
    this.#options = options;
    this.#hide = hidingSecrets({ ...options.task.config, secrets: options.task.secrets });
  }

  /** The state of the process, and the last error. */
  state(): { readonly state: ModuleState; readonly error: string | undefined } {
    const { unusable, failure, ofAll } = this.#wrong;
    const error = unusable ?? failure ?? ofAll;
    if (this.#running !== undefined && ofAll === undefined) return { state: 'running', error };
    return { state: error === undefined ? 'idle' : 'failed', error };
  }

  /** Starts it, so that errors become known. */
  start(): void {
    void this.examine();
  }

  /** Starts it, and waits until it has listed its top folder, or has failed to. `state` tells which. */
  async examine(): Promise<void> {
    // `state` tells of the failure.
    await this.ask({ type: 'look', path: [] }).catch(() => undefined);
  }

  /** @throws ModuleFailure */
  ask(question: ModuleQuestion, signal?: AbortSignal): Promise<SeenPlace | undefined> {
    const problem = this.#whyNot();
    if (problem !== undefined) return Promise.reject(problem);
    let running = this.#running;
    try {
      running ??= this.#start();
    } catch (error) {
      return Promise.reject(this.#failed(`its process cannot be started: ${reasonOf(error)}`));
    }
    return this.#askOf(running, question, signal);
  }

  #askOf(running: Running, question: ModuleQuestion, signal?: AbortSignal): Promise<SeenPlace | undefined> {
    if (running.waiting.size >= MAX_WAITING) {
      return Promise.reject(new ModuleFailure('EBUSY', `${MAX_WAITING} questions are waiting already`));
    }
    clearTimeout(this.#endTimer);
    const id = this.#nextId;
    this.#nextId += 1;
    return new Promise((resolve, reject) => {
      const onAbort = () => this.#giveUp(running, id, new ModuleFailure('EIO', 'nobody waits any more'));
      const timer = afterWhatCame(() => this.#late(running, id), this.#options.timeoutMs);
      const settle: Waiting['settle'] = (outcome) => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
        running.waiting.delete(id);
        if (running.waiting.size === 0) this.#endLater();
        if (outcome instanceof ModuleFailure) reject(outcome);
        else resolve(outcome);
      };
      const isOfAll = question.path.length === 0 && question.type !== 'write';
      running.waiting.set(id, { timer, isOfAll, settle });
      signal?.addEventListener('abort', onAbort, { once: true });
      running.child.send({ ...question, id });
    });
  }

  /** Ends it. Questions that wait for an answer are rejected. */
  close(): void {
    this.#closing.abort();
    clearTimeout(this.#endTimer);
    const running = this.#running;
    if (running === undefined) return;
    this.#letGo(running, new ModuleFailure('EIO', 'the module was stopped'));
    this.#endInOrder(running);
  }

  #whyNot(): ModuleFailure | undefined {
    if (this.#closing.signal.aborted) return new ModuleFailure('EIO', 'the module was stopped');
    if (this.#wrong.unusable !== undefined) return new ModuleFailure('EIO', this.#wrong.unusable);
    if (this.#running !== undefined || performance.now() >= this.#restUntilMs) return undefined;
    return new ModuleFailure('EIO', `the module failed, and rests for a moment: ${this.#wrong.failure}`);
  }

  #start(): Running {
    const child = new ModuleChild({
      task: this.#options.task,
      onReply: (reply) => this.#heard(running, reply),
      onEnd: (told) => {
        this.#crashed(running, told);
        running.started.end();
      },
    });
    const running: Running = {
      child,
      waiting: new Map(),
      started: new StartedProcesses(),
      givenUp: 0,
      staysUp: false,
      pong: undefined,
    };
    this.#running = running;
    this.#options.onState();
    return running;
  }

  #heard(running: Running, reply: ModuleReply): void {
    // From a process that was given up and takes its time to end, no other messages count: another one may be running by now.
    if (this.#running !== running && reply.type !== 'started' && reply.type !== 'note') return;
    switch (reply.type) {
      case 'ready':
        running.staysUp = reply.staysUp;
        this.#wrong.failure = undefined;
        break;
      case 'unusable':
        this.#wrong.unusable = this.#hide(this.#options.explain(reply.reason, reply.faults));
        this.#stop(running, new ModuleFailure('EIO', this.#wrong.unusable));
        this.#options.onNote(this.#wrong.unusable);
        break;
      case 'answer':
        this.#restMs = 0;
        this.#settle(running, reply.id, reply.place);
        return;
      case 'failure': {
        const code = isErrnoCode(reply.code) ? reply.code : 'EIO';
        this.#settle(running, reply.id, new ModuleFailure(code, this.#hide(reply.reason)));
        return;
      }
      case 'changed':
        this.#options.onChanged(reply.paths);
        return;
      case 'note':
        this.#options.onNote(this.#hide(reply.message));
        return;
      case 'started':
        running.started.add(reply.pid);
        return;
      case 'pong':
        clearTimeout(running.pong);
        running.pong = undefined;
        return;
    }
    this.#options.onState();
  }

  #settle(running: Running, id: number, outcome: SeenPlace | undefined | ModuleFailure): void {
    const waiting = running.waiting.get(id);
    // This is the answer to a question that was given up.
    if (waiting === undefined) running.givenUp -= 1;
    else if (waiting.isOfAll) this.#toldOfAll(outcome);
    waiting?.settle(outcome);
  }

  /** A failure stands until the module can be shown again, even while its process ends and starts. */
  #toldOfAll(outcome: SeenPlace | undefined | ModuleFailure): void {
    const reason = outcome instanceof ModuleFailure ? outcome.message : undefined;
    // A revision does not prove that there is anything to show.
    const isShown = outcome !== undefined && 'kind' in outcome && outcome.kind === 'directory';
    if (reason === this.#wrong.ofAll || (reason === undefined && !isShown)) return;
    this.#wrong.ofAll = reason;
    if (reason !== undefined) this.#options.onNote(reason);
    this.#options.onState();
  }

  #late(running: Running, id: number): void {
    const late = running.waiting.get(id);
    // The answer came in time.
    if (late === undefined) return;
    const reason = `the module gave no answer within ${this.#options.timeoutMs} ms`;
    const failure = new ModuleFailure('ETIMEDOUT', reason);
    if (late.isOfAll) this.#toldOfAll(failure);
    this.#giveUp(running, id, failure);
    if (this.#running !== running) return;
    if (running.givenUp >= MAX_GIVEN_UP) {
      this.#crashed(running, `it left ${MAX_GIVEN_UP} questions without an answer`);
      return;
    }
    if (running.pong !== undefined) return;
    running.child.send({ type: 'ping' });
    running.pong = afterWhatCame(() => {
      if (running.pong !== undefined)
        this.#crashed(running, 'it did not answer at all, and was ended: an endless loop?');
    }, PONG_WITHIN_MS);
  }

  #giveUp(running: Running, id: number, failure: ModuleFailure): void {
    running.givenUp += 1;
    running.child.send({ type: 'abort', id });
    running.waiting.get(id)?.settle(failure);
  }

  #crashed(running: Running, told: string): void {
    if (this.#running !== running) return;
    this.#running = undefined;
    this.#stop(running, this.#failed(told));
  }

  /** Notes a failure, and pauses for a moment, each time for longer. */
  #failed(told: string): ModuleFailure {
    const reason = this.#hide(told);
    this.#wrong.failure = reason;
    this.#restMs = Math.min(LONGEST_REST_MS, this.#restMs === 0 ? FIRST_REST_MS : this.#restMs * 2);
    this.#restUntilMs = performance.now() + this.#restMs;
    this.#options.onNote(reason);
    this.#options.onState();
    return new ModuleFailure('EIO', reason);
  }

  #letGo({ pong, waiting }: Running, failure: ModuleFailure): void {
    this.#running = undefined;
    clearTimeout(pong);
    for (const { settle } of [...waiting.values()]) settle(failure);
  }

  #stop(running: Running, failure: ModuleFailure): void {
    this.#letGo(running, failure);
    running.child.kill();
    running.started.end();
  }

  /** Has it close what it has open, and kills it if it does not end in time. */
  #endInOrder({ child, started }: Running): void {
    child.end(END_WITHIN_MS);
    started.end();
  }

  #endLater(): void {
    clearTimeout(this.#endTimer);
    this.#endTimer = setTimeout(() => {
      const running = this.#running;
      if (running === undefined || running.staysUp || running.waiting.size > 0) return;
      this.#running = undefined;
      this.#endInOrder(running);
      this.#options.onState();
    }, this.#options.keepMs ?? KEEP_MS).unref();
  }
}

/** A timer that first takes in the messages that have arrived: after this thread was busy or stopped, timers run before them. */
function afterWhatCame(act: () => void, waitMs: number): NodeJS.Timeout {
  return setTimeout(() => setImmediate(act), waitMs);
}

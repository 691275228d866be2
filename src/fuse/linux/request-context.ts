import type { Caller, OpContext } from '../../core/resolver.ts';
import type { Callers } from './callers.ts';
import type { Request } from './protocol/request.ts';

/** Most requests are answered before anybody asks for the signal or the caller, so these are made when asked for. */
export class RequestContext implements OpContext {
  readonly #pid: number;
  readonly #uid: number;
  readonly #gid: number;
  readonly #callers: Callers;
  #caller: Caller | undefined;
  #controller: AbortController | undefined;
  #later: (() => void)[] | undefined;

  constructor({ pid, uid, gid }: Pick<Request, 'pid' | 'uid' | 'gid'>, callers: Callers) {
    this.#pid = pid;
    this.#uid = uid;
    this.#gid = gid;
    this.#callers = callers;
  }

  get caller(): Caller {
    const caller = this.#caller ?? this.#callers.of(this.#pid, this.#uid, this.#gid);
    this.#caller = caller;
    return caller;
  }

  get signal(): AbortSignal {
    return this.#abortable().signal;
  }

  later(action: () => void): void {
    if (this.#later === undefined) this.#later = [action];
    else this.#later.push(action);
  }

  /** Does what was put off until now. */
  answered(): void {
    const later = this.#later;
    if (later === undefined) return;
    this.#later = undefined;
    for (const action of later) action();
  }

  abort(): void {
    this.#abortable().abort();
  }

  #abortable(): AbortController {
    const controller = this.#controller ?? new AbortController();
    this.#controller = controller;
    return controller;
  }
}

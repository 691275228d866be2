import { randomBytes } from 'node:crypto';
import type { Clock } from '../core/clock.ts';
import { UserError } from '../core/errors.ts';
import { timeInName } from '../core/iso-time.ts';
import type { ContextStore } from '../store/context-store.ts';
import type { SessionProcess, SessionRow } from '../store/session-table.ts';

export interface SessionsOptions {
  readonly store: Pick<ContextStore, 'sessions' | 'transact'>;
  readonly clock: Clock;
  /** Whether that very process still runs. */
  readonly isAlive: (process: SessionProcess) => boolean;
}

/** The session that a mount is to have. */
export interface SessionWish {
  /** The session to continue; undefined for the one that was marked as next, or else a new one. */
  readonly id: string | undefined;
  readonly actor: string;
  readonly mountpoint: string;
  readonly process: SessionProcess;
}

/** The sessions of a state folder. Each has its own scratchpad and history. */
export class Sessions {
  readonly #options: SessionsOptions;
  /** What undoes the beginning of a session, to be run inside a transaction. */
  readonly #undo = new Map<string, () => void>();

  constructor(options: SessionsOptions) {
    this.#options = options;
  }

  /** Begins a session, or continues one, in a process that serves it. @throws UserError as `resumable` */
  begin({ id, actor, mountpoint, process }: SessionWish): string {
    const { store } = this.#options;
    return store.transact(() => {
      const marked = id === undefined ? store.sessions.next()?.id : undefined;
      const wanted = id ?? marked;
      const begun = wanted === undefined ? this.#add(actor) : this.resumable(wanted).id;
      store.sessions.setLive(begun, mountpoint, process);
      // Unless somebody has marked another session meanwhile.
      const markAgain = () => {
        if (store.sessions.next() === undefined) store.sessions.setNext(begun);
      };
      if (marked !== undefined) this.#undo.set(begun, markAgain);
      if (wanted === undefined) this.#undo.set(begun, () => store.sessions.remove(begun));
      return begun;
    });
  }

  /**
   * Undoes `begin` after a mount has failed: a new session is removed, and one that was marked as next is marked again. The session must be ended nevertheless.
   */
  abandon(id: string): void {
    this.#options.store.transact(() => this.#undo.get(id)?.());
    this.#undo.delete(id);
  }

  /** Makes a session that the next mount continues, unless that mount names another one. @returns its id */
  make(actor: string): string {
    return this.#options.store.transact(() => {
      const id = this.#add(actor);
      this.#options.store.sessions.setNext(id);
      return id;
    });
  }

  /** Marks a session as the one that the next mount continues. @throws UserError as `resumable` */
  markNext(id: string): void {
    this.#options.store.transact(() => {
      this.#options.store.sessions.setNext(this.resumable(id).id);
    });
  }

  /** @throws UserError if there is no such session, or a daemon is serving it */
  resumable(id: string): SessionRow {
    const session = this.#options.store.sessions.get(id);
    if (!session)
      throw new UserError(`there is no session ${id}; "kgraphfs session list" shows those that are`);
    if (this.isLive(session)) {
      throw new UserError(
        `session ${id} is live, mounted at ${session.mountpoint} by process ${session.pid}; unmount it there first`,
      );
    }
    return session;
  }

  end(id: string): void {
    const { store, clock } = this.#options;
    store.transact(() => store.sessions.setEnded(id, clock.nowMs()));
  }

  /** Whether there is such a session. False if the store cannot be read right now: this never throws. */
  has(id: string): boolean {
    try {
      return this.#options.store.sessions.get(id) !== undefined;
    } catch {
      // The caller asks in the middle of another failure, which is the one to tell of.
      return false;
    }
  }

  /** All sessions, oldest first. */
  list(): SessionRow[] {
    return this.#options.store.sessions.all();
  }

  /** Whether a process serves the session now. */
  isLive({ pid, startTicks }: SessionRow): boolean {
    return pid !== null && startTicks !== null && this.#options.isAlive({ pid, startTicks });
  }

  /** The session that the next mount continues, if one was marked. */
  nextId(): string | undefined {
    return this.#options.store.sessions.next()?.id;
  }

  /** @returns undefined if there is no such session, or no process serves it now */
  served(id: string): SessionRow | undefined {
    const session = this.#options.store.sessions.get(id);
    return session !== undefined && this.isLive(session) ? session : undefined;
  }

  #add(actor: string): string {
    const { store, clock } = this.#options;
    const nowMs = clock.nowMs();
    let id = newSessionId(nowMs);
    while (store.sessions.get(id) !== undefined) id = newSessionId(nowMs);
    store.sessions.add(id, nowMs, actor);
    return id;
  }
}

/** Such as `20261121T045625-7f3a`: sorts by time, and two ids of the same second are rarely equal. */
function newSessionId(nowMs: number): string {
  const time = timeInName(nowMs);
  return `${time}-${randomBytes(2).toString('hex')}`;
}

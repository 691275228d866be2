import { randomBytes } from 'node:crypto';
import type { Clock } from '../core/clock.ts';
import { UserError } from '../core/errors.ts';
import { timeInName } from '../core/iso-time.ts';
import type { ContextStore } from '../store/context-store.ts';
import type { SessionProcess, SessionRow } from '../store/session-table.ts';

export interface SessionsOptions {
  readonly store: Pick<ContextStore, 'sessions' | 'transact'>;
  readonly clock: Clock;
  /** Whether the very process still runs. */
  readonly isAlive: (process: SessionProcess) => boolean;
}

/** Which session a mount is to have. */
export interface SessionWish {
  /** To go on with; undefined for the one that was marked as next, or else a new one. */
  readonly id: string | undefined;
  readonly actor: string;
  readonly mountpoint: string;
  readonly process: SessionProcess;
}

/** The sessions of a state folder: each has a scratchpad and history of its own. */
export class Sessions {
  readonly #options: SessionsOptions;
  /** What undoes the beginning of a session, inside a transaction. */
  readonly #undo = new Map<string, () => void>();

  constructor(options: SessionsOptions) {
    this.#options = options;
  }

  /** Begins a session, or goes on with one, in a process that serves it. @throws UserError as `resumable` */
  begin({ id, actor, mountpoint, process }: SessionWish): string {
    const { store } = this.#options;
    return store.transact(() => {
      const marked = id === undefined ? store.sessions.next()?.id : undefined;
      const wanted = id ?? marked;
      const begun = wanted === undefined ? this.#add(actor) : this.resumable(wanted).id;
      store.sessions.setLive(begun, mountpoint, process);
      // Somebody may have marked another one meanwhile.
      const markAgain = () => {
        if (store.sessions.next() === undefined) store.sessions.setNext(begun);
      };
      if (marked !== undefined) this.#undo.set(begun, markAgain);
      if (wanted === undefined) this.#undo.set(begun, () => store.sessions.remove(begun));
      return begun;
    });
  }

  /**
   * Undoes `begin` where the mount came to nothing: a new session is gone, and one that was marked as next is so again. To be ended all the
   * same.
   */
  abandon(id: string): void {
    this.#options.store.transact(() => this.#undo.get(id)?.());
    this.#undo.delete(id);
  }

  /** Makes a session that the next mount goes on with, unless that names another. @returns its id */
  make(actor: string): string {
    return this.#options.store.transact(() => {
      const id = this.#add(actor);
      this.#options.store.sessions.setNext(id);
      return id;
    });
  }

  /** Has the next mount go on with a session. @throws UserError as `resumable` */
  markNext(id: string): void {
    this.#options.store.transact(() => {
      this.#options.store.sessions.setNext(this.resumable(id).id);
    });
  }

  /** @throws UserError where there is no such session, or a daemon has it */
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

  /** Whether there is such a session. A store that cannot be read right now has none: this never throws. */
  has(id: string): boolean {
    try {
      return this.#options.store.sessions.get(id) !== undefined;
    } catch {
      return false;
    }
  }

  /** Oldest first. */
  list(): SessionRow[] {
    return this.#options.store.sessions.all();
  }

  /** Whether a process serves it now. */
  isLive({ pid, startTicks }: SessionRow): boolean {
    return pid !== null && startTicks !== null && this.#options.isAlive({ pid, startTicks });
  }

  /** The one that the next mount goes on with, if one was marked. */
  nextId(): string | undefined {
    return this.#options.store.sessions.next()?.id;
  }

  /** Undefined where there is no such session, or no process serves it now. */
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

/** `20261121T045625-7f3a`: sorts by time, and rarely is the same for two of one second. */
function newSessionId(nowMs: number): string {
  const time = timeInName(nowMs);
  return `${time}-${randomBytes(2).toString('hex')}`;
}

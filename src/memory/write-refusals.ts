import { FsError } from '../core/errors.ts';

/** Why what was written to an open file cannot be stored, and which of its handles have yet to be told. */
export class WriteRefusals {
  /** Why the content of the buffer cannot be stored. */
  #failure: FsError | undefined;
  /** Why the one change that was asked of a new file was refused. */
  #unmade: FsError | undefined;
  /** Why a new file is gone: its content was given up. */
  #gone: FsError | undefined;
  /** Handles that have written something that is not stored yet. */
  readonly #writers = new Set<object>();
  /** Handles whose content was given up, and why, until their own flush has said so. */
  readonly #untold = new Map<object, FsError>();

  /** @throws the reason why the content cannot be stored, or was given up */
  requireNone(): void {
    const why = this.#failure ?? this.#gone;
    if (why !== undefined) throw why;
  }

  /** Does a part of a write. If it is refused, the content is to be given up at the next flush. */
  poisoning(act: () => void): void {
    try {
      act();
    } catch (error) {
      if (error instanceof FsError) this.#failure = error;
      throw error;
    }
  }

  /** To be called when a new file was refused its one change: it is not made then, unless something else is done to it before its flush. */
  leaveUnmade(why: FsError): void {
    this.#unmade = why;
  }

  changed(): void {
    this.#unmade = undefined;
  }

  wrote(handle: object): void {
    this.#writers.add(handle);
  }

  stored(): void {
    this.#writers.clear();
  }

  /** Why the content has to be given up, told once. */
  take(): FsError | undefined {
    const why = this.#failure ?? this.#unmade;
    this.#failure = undefined;
    this.#unmade = undefined;
    return why;
  }

  /** Notes that everyone who has written lost it. */
  givenUp(why: FsError): void {
    for (const handle of this.#writers) this.#untold.set(handle, why);
  }

  /** Notes that there is no file any more: what was given up was all it had. */
  lost(why: FsError): void {
    this.#gone = why;
  }

  /** Fails in the end if content that the handle had written was given up before. */
  telling(handle: object | undefined, act: () => void): void {
    const untold = handle && this.#untold.get(handle);
    try {
      act();
    } finally {
      if (handle) this.#untold.delete(handle);
    }
    if (untold !== undefined) throw untold;
  }

  /** To be called when a handle is closed: nobody waits for its flush any more. */
  leave(handle: object): void {
    this.#writers.delete(handle);
    this.#untold.delete(handle);
  }
}

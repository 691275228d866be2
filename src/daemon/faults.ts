import type { ErrorLog } from '../core/error-log.ts';
import { codeOfFailure } from '../core/errors.ts';
import { damageOrReason } from '../disk/damage.ts';

/** Failures of a daemon that nobody waits for, so that nobody can be told: each becomes a line of errors.jsonl. */
export class Faults {
  readonly #errors: ErrorLog;
  /** What ends the lines of {@link state}, by subject. */
  readonly #endState = new Map<string, () => void>();
  /** The last failure that {@link aside} has reported. */
  #toldAside: string | undefined;

  constructor(errors: ErrorLog) {
    this.#errors = errors;
  }

  /** @param what what failed @param code the code if another thread has reported the failure. Default: that of the error */
  add(what: string, error: unknown, code = codeOfFailure(error)): void {
    this.#errors.add({ code, path: '/', message: `${what}: ${damageOrReason(error)}` });
  }

  /**
   * Reports what is wrong for as long as it lasts, in place of what was reported for the same subject before.
   * @param reason undefined once nothing is wrong
   */
  state(what: string, reason: string | undefined): void {
    this.#endState.get(what)?.();
    this.#endState.delete(what);
    if (reason !== undefined)
      this.#endState.set(what, this.#errors.add({ code: 'EIO', path: '/', message: `${what}: ${reason}` }));
  }

  /**
   * Does something that no request waits for, so that no request can fail. A failure, such as a damaged file, is reported, the same one only once in a row, and
   * the daemon goes on.
   */
  aside<Result>(what: string, act: () => Result): Result | undefined {
    try {
      return act();
    } catch (error) {
      const told = damageOrReason(error);
      if (told === this.#toldAside) return undefined;
      this.#toldAside = told;
      this.add(what, error);
      return undefined;
    }
  }
}

/** `failure`: nothing can be mounted until this is mended. `warning`: something that may be wanted does not work. */
export type CheckState = 'ok' | 'warning' | 'failure';

/** The result of one check. */
export interface Check {
  /** A word or two that stay the same, for programs. */
  readonly check: string;
  readonly state: CheckState;
  /** What was found. */
  readonly finding: string;
  /** What follows from it; absent if all is well. */
  readonly meaning?: string;
  /** The command, or the other way, to mend it; absent if there is nothing to mend. */
  readonly remedy?: string;
}

export function ok(check: string, finding: string): Check {
  return { check, state: 'ok', finding };
}

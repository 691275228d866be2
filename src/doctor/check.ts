/** `failure`: nothing can be mounted before it is mended. `warning`: something that may be wanted does not work. */
export type CheckState = 'ok' | 'warning' | 'failure';

/** One thing that was looked at. */
export interface Check {
  /** A word or two that stay the same, for programs. */
  readonly check: string;
  readonly state: CheckState;
  /** What was found. */
  readonly finding: string;
  /** What follows from it; absent where all is well. */
  readonly meaning?: string;
  /** The command that mends it, or what else does; absent where there is nothing to mend. */
  readonly remedy?: string;
}

export function ok(check: string, finding: string): Check {
  return { check, state: 'ok', finding };
}

import { EXIT, UserError } from '../core/errors.ts';

/** A fault in a schema map. */
export interface MapFault {
  /** Counted from 1. */
  readonly line: number;
  /** Counted from 1. */
  readonly column: number;
  readonly message: string;
}

/** A schema map that cannot be used. Its message has a line `file:line:column: what is wrong` for each fault. */
export class SchemaMapError extends UserError {
  /** @param faults at least one fault */
  constructor(
    file: string,
    readonly faults: readonly MapFault[],
    options?: { cause: unknown },
  ) {
    const lines = faults.map(({ line, column, message }) => `${file}:${line}:${column}: ${message}`);
    super(lines.join('\n'), EXIT.wrongUsage, options);
  }
}

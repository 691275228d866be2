import { EXIT, UserError } from '../core/errors.ts';

/** Something that is wrong in a schema map. */
export interface MapFault {
  /** 1-based. */
  readonly line: number;
  /** 1-based. */
  readonly column: number;
  readonly message: string;
}

/** A schema map that cannot be used: its message has a line `file:line:column: what is wrong` for each fault. */
export class SchemaMapError extends UserError {
  /** @param faults at least one */
  constructor(
    file: string,
    readonly faults: readonly MapFault[],
    options?: { cause: unknown },
  ) {
    const lines = faults.map(({ line, column, message }) => `${file}:${line}:${column}: ${message}`);
    super(lines.join('\n'), EXIT.wrongUsage, options);
  }
}

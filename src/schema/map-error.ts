import { UserError } from '../core/errors.ts';

/** Exit status for a map that cannot be used, as for a configuration. */
const USAGE = 2;

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
    super(lines.join('\n'), USAGE, options);
  }
}

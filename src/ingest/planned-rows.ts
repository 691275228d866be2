/** The part of a store's row for a file that tells one reading of it from another. */
export interface KnownReading {
  readonly stamp: string;
  readonly sha256: string;
}

/**
 * What a store had of the files that are to be read when that was decided. If another process has written about a file since, it may have read a later version
 * than we did. So its row stays, and the file is looked at again.
 */
export class PlannedRows {
  readonly #rows = new Map<string, KnownReading>();
  readonly #overtaken: Set<string>;

  /** @param overtaken collects the paths that another process has written about */
  constructor(overtaken: Set<string>) {
    this.#overtaken = overtaken;
  }

  /** @param row undefined if the store had nothing of the file */
  note(path: string, row: KnownReading | undefined): void {
    if (row !== undefined) this.#rows.set(path, row);
  }

  has(path: string): boolean {
    return this.#rows.has(path);
  }

  /** To be called within the transaction that writes. */
  isStill(path: string, now: KnownReading | undefined): boolean {
    const before = this.#rows.get(path);
    const isStill = before?.stamp === now?.stamp && before?.sha256 === now?.sha256;
    if (!isStill) this.#overtaken.add(path);
    return isStill;
  }
}

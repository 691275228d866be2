/** As much of what a store has of a file as tells one reading of it from another. */
export interface KnownReading {
  readonly stamp: string;
  readonly sha256: string;
}

/**
 * What a store had of the files that are to be read, as of when that was decided. Where another process wrote about a file since, it may have read it later
 * than we did: what it wrote stays, and the file is looked at once more.
 */
export class PlannedRows {
  readonly #rows = new Map<string, KnownReading>();
  readonly #overtaken: Set<string>;

  /** @param overtaken takes the paths that another process wrote about */
  constructor(overtaken: Set<string>) {
    this.#overtaken = overtaken;
  }

  /** @param row undefined where the store had nothing of the file */
  note(path: string, row: KnownReading | undefined): void {
    if (row !== undefined) this.#rows.set(path, row);
  }

  has(path: string): boolean {
    return this.#rows.has(path);
  }

  /** To be asked within the transaction that writes. */
  isStill(path: string, now: KnownReading | undefined): boolean {
    const before = this.#rows.get(path);
    const isStill = before?.stamp === now?.stamp && before?.sha256 === now?.sha256;
    if (!isStill) this.#overtaken.add(path);
    return isStill;
  }
}

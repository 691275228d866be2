interface Closable {
  close(): void;
}

/** The parts of something that have been opened so far, while the rest is being opened. */
export class OpenedParts {
  readonly #parts: Closable[] = [];

  add<Part extends Closable>(part: Part): Part {
    this.#parts.push(part);
    return part;
  }

  /** Closes them in reverse order. */
  close(): void {
    for (const part of this.#parts.toReversed()) part.close();
  }
}

/** Opens something that has several parts. If one of them cannot be opened, those that were are closed. */
export function openingParts<Whole>(open: (opened: OpenedParts) => Whole): Whole {
  const opened = new OpenedParts();
  try {
    return open(opened);
  } catch (error) {
    opened.close();
    throw error;
  }
}

interface Closable {
  close(): void;
}

/** Parts of a whole that are open already, while the rest of it is opened. */
export class OpenedParts {
  readonly #parts: Closable[] = [];

  add<Part extends Closable>(part: Part): Part {
    this.#parts.push(part);
    return part;
  }

  /** The last first. */
  close(): void {
    for (const part of this.#parts.toReversed()) part.close();
  }
}

/** Makes a whole of parts; where one of them cannot be opened, those that were are closed. */
export function openingParts<Whole>(open: (opened: OpenedParts) => Whole): Whole {
  const opened = new OpenedParts();
  try {
    return open(opened);
  } catch (error) {
    opened.close();
    throw error;
  }
}

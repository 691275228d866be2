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

  /** Closes all parts, last opened first. @throws the first error that one of them throws, once all others are closed */
  close(): void {
    const failures: unknown[] = [];
    for (const part of this.#parts.toReversed()) {
      try {
        part.close();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }
}

/** Opens something that has several parts. If one of them cannot be opened, those that were are closed. */
export function openingParts<Whole>(open: (opened: OpenedParts) => Whole): Whole {
  const opened = new OpenedParts();
  try {
    return open(opened);
  } catch (error) {
    try {
      opened.close();
    } catch {
      // The reason why the whole cannot be opened matters more.
    }
    throw error;
  }
}

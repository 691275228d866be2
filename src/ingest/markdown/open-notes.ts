import { NOTE_CLOSE, NOTE_OPEN, QUOTED_NOTE } from './containers.ts';
import type { Token } from './parser.ts';

/** Which notes are open, as the tokens of a document come by. */
export class OpenNotes {
  #containers = 0;
  #quotes = 0;
  /** How many quotations are around what the note stands in; 0 where no quotation is one. */
  #notedAt = 0;

  get isWithin(): boolean {
    return this.#containers > 0 || this.#notedAt > 0;
  }

  read({ type }: Token): void {
    if (type === NOTE_OPEN) this.#containers += 1;
    else if (type === NOTE_CLOSE) this.#containers = Math.max(0, this.#containers - 1);
    // A note that nobody closes ends with its section.
    else if (type === 'heading_open') this.#containers = 0;
    else if (type === 'blockquote_open') this.#quotes += 1;
    else if (type === QUOTED_NOTE) this.#notedAt ||= this.#quotes;
    else if (type === 'blockquote_close') {
      if (this.#notedAt === this.#quotes) this.#notedAt = 0;
      this.#quotes -= 1;
    }
  }
}

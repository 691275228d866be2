import { NOTE_CLOSE, NOTE_OPEN, QUOTED_NOTE } from './containers.ts';
import type { Token } from './parser.ts';

/** Follows which notes are open while the tokens of a document are read. */
export class OpenNotes {
  /** The number of colons of each open note. */
  readonly #containers: number[] = [];
  #quotes = 0;
  /** How many quotations there are around the content of a note; 0 if no quotation is a note. */
  #notedAt = 0;

  get isWithin(): boolean {
    return this.#containers.length > 0 || this.#notedAt > 0;
  }

  read({ type, markup }: Token): void {
    if (type === NOTE_OPEN) this.#containers.push(markup.length);
    else if (type === NOTE_CLOSE) this.#end(markup.length);
    // A note that is never closed ends with its section.
    else if (type === 'heading_open') this.#containers.length = 0;
    else if (type === 'blockquote_open') this.#quotes += 1;
    else if (type === QUOTED_NOTE) this.#notedAt ||= this.#quotes;
    else if (type === 'blockquote_close') {
      if (this.#notedAt === this.#quotes) this.#notedAt = 0;
      this.#quotes -= 1;
    }
  }

  /** Ends the innermost open note, and all that have fewer colons. Notes with more colons go on if layout within them ends. */
  #end(colons: number): void {
    while ((this.#containers.at(-1) ?? colons) < colons) this.#containers.pop();
    if (this.#containers.at(-1) === colons) this.#containers.pop();
  }
}

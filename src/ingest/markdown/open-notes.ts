import { NOTE_CLOSE, NOTE_OPEN, QUOTED_NOTE } from './containers.ts';
import type { Token } from './parser.ts';

/** Which notes are open, as the tokens of a document come by. */
export class OpenNotes {
  /** How many colons each note that is open began with. */
  readonly #containers: number[] = [];
  #quotes = 0;
  /** How many quotations are around what the note stands in; 0 where no quotation is one. */
  #notedAt = 0;

  get isWithin(): boolean {
    return this.#containers.length > 0 || this.#notedAt > 0;
  }

  read({ type, markup }: Token): void {
    if (type === NOTE_OPEN) this.#containers.push(markup.length);
    else if (type === NOTE_CLOSE) this.#end(markup.length);
    // A note that nobody closes ends with its section.
    else if (type === 'heading_open') this.#containers.length = 0;
    else if (type === 'blockquote_open') this.#quotes += 1;
    else if (type === QUOTED_NOTE) this.#notedAt ||= this.#quotes;
    else if (type === 'blockquote_close') {
      if (this.#notedAt === this.#quotes) this.#notedAt = 0;
      this.#quotes -= 1;
    }
  }

  /** Ends the note that is open last, and all that have fewer colons; those with more go on where layout within them ends. */
  #end(colons: number): void {
    while ((this.#containers.at(-1) ?? colons) < colons) this.#containers.pop();
    if (this.#containers.at(-1) === colons) this.#containers.pop();
  }
}

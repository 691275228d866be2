import type { StateInline } from 'markdown-it';

/** Finds the next place of some characters in the text of a block. It scans the text once, however often it is asked and from wherever. */
export class NextPlace {
  readonly #wanted: string;
  /** The block whose text was scanned. It identifies the text, so that two long texts need not be compared each time. */
  #state: StateInline | undefined;
  /** None of the characters is between these two offsets. */
  #from = 0;
  #at = -1;

  constructor(wanted: string) {
    this.#wanted = wanted;
  }

  /** @returns -1 if there is none */
  after(state: StateInline, from: number): number {
    const { src } = state;
    const isSame = state === this.#state;
    if (isSame && from >= this.#from && (this.#at === -1 || this.#at >= from)) return this.#at;
    if (isSame && from < this.#from) {
      const near = src.slice(from, this.#from + this.#wanted.length - 1).indexOf(this.#wanted);
      if (near !== -1) this.#at = from + near;
    } else this.#at = src.indexOf(this.#wanted, from);
    this.#state = state;
    this.#from = from;
    return this.#at;
  }

  isWithin(state: StateInline, from: number, distance: number): boolean {
    const at = this.after(state, from);
    return at !== -1 && at - from <= distance;
  }
}

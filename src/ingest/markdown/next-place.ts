import type { StateInline } from 'markdown-it';

/** Finds the next place of some characters in the text of a block, walking that once however often it is asked, from wherever. */
export class NextPlace {
  readonly #wanted: string;
  /** Which text it is: two long ones are not compared each time. */
  #state: StateInline | undefined;
  /** The wanted characters are nowhere between these two. */
  #from = 0;
  #at = -1;

  constructor(wanted: string) {
    this.#wanted = wanted;
  }

  /** @returns -1 where there is none */
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

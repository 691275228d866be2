import type { Node } from './node-table.ts';

/** So many files may be left out between two that are read one after the other. */
const WINDOW_FILES = 16;
/** So many names are looked at for that: most of a folder may be folders. */
const MAX_LOOKED_AT = 64;

/** Where somebody is who reads the files of a folder one after the other. */
export class Sequence {
  /** Whether it began with the first file of its folder. */
  readonly isFromFirst: boolean;
  readonly #folder: Node;
  readonly #names: Iterator<string>;
  /** The files that come next. */
  readonly #window: string[] = [];
  readonly #isFound: boolean;

  private constructor(folder: Node, names: Iterator<string>, opened: string) {
    this.#folder = folder;
    this.#names = names;
    this.#fill();
    this.isFromFirst = this.takesNext(opened);
    this.#isFound = this.isFromFirst || this.skipsTo(opened);
  }

  /**
   * @param names in the order in which they are read; those that are known to be no files are left out
   * @returns undefined where the file that was opened is not among the first
   */
  static from(folder: Node, names: Iterator<string>, opened: string): Sequence | undefined {
    const sequence = new Sequence(folder, names, opened);
    return sequence.#isFound ? sequence : undefined;
  }

  /** The file that is probably opened next; undefined at the end of the folder, and before very many folders. */
  get next(): string | undefined {
    return this.#window[0];
  }

  /** Goes on, if what was opened is what had to come. @returns whether it is */
  takesNext(opened: string): boolean {
    if (this.#window[0] !== opened) return false;
    this.#window.shift();
    this.#fill();
    return true;
  }

  /** Goes on to a file a little further on. @returns whether it is one of those */
  skipsTo(opened: string): boolean {
    if (this.#window.length === 0) this.#fill();
    const index = this.#window.indexOf(opened);
    if (index === -1) return false;
    this.#window.splice(0, index + 1);
    this.#fill();
    return true;
  }

  #fill(): void {
    for (let count = 0; count < MAX_LOOKED_AT && this.#window.length < WINDOW_FILES; count += 1) {
      const { value, done } = this.#names.next();
      if (done === true) return;
      // What is not known yet was listed as a file.
      const known = this.#folder.children?.get(value);
      if (known === undefined || known.info.kind === 'file') this.#window.push(value);
    }
  }
}

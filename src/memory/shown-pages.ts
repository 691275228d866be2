import type { Base } from './commits.ts';
import type { GrowingBytes } from './growing-bytes.ts';

/** A content that the file no longer has. */
export interface Superseded {
  readonly base: Base | undefined;
  readonly bytes: GrowingBytes;
}

/** One content of the file, kept for as long as a page of it may be shown somewhere. */
interface Content {
  superseded?: Superseded | undefined;
}

/** The size of a page in the kernel's cache. On a machine with larger pages, each of them counts as several here, which does no harm. */
const PAGE_BYTES = 4096;

/**
 * Remembers from which content of a file each of its pages was last read. What a program stores in a mapping arrives late and as whole pages: by then
 * others may have changed the file, and the pages do not have those changes.
 */
export class ShownPages {
  #current: Content = {};
  /** For pages that nobody has read since the file was opened: whoever has them in a cache read them before that. */
  #first: Content = this.#current;
  #pages: Content[] = [];

  read(position: number, sizeBytes: number): void {
    for (let page = pageOf(position); page * PAGE_BYTES < position + sizeBytes; page += 1)
      this.#pages[page] = this.#current;
  }

  /** To be called after a write: the rest of a page that was written in part is still shown as it was. */
  written(position: number, sizeBytes: number): void {
    const from = Math.ceil(position / PAGE_BYTES);
    for (let page = from; (page + 1) * PAGE_BYTES <= position + sizeBytes; page += 1)
      this.#pages[page] = this.#current;
  }

  /** To be called after a truncation, which makes the kernel drop the pages. */
  cut(): void {
    this.#first = this.#current;
    this.#pages = [];
  }

  /** To be called when the file gets another content. */
  supersede(content: Superseded): void {
    this.#current.superseded = content;
    this.#current = {};
  }

  /**
   * Goes back to the content from which the page at `position` was read.
   * @param leave returns the present content; only called if that is another one
   * @returns the former content; undefined if it is still the present one
   */
  revive(position: number, leave: () => Superseded): Superseded | undefined {
    const content = this.#pages[pageOf(position)] ?? this.#first;
    const { superseded } = content;
    if (superseded === undefined) return undefined;
    this.#current.superseded = leave();
    content.superseded = undefined;
    this.#current = content;
    return superseded;
  }
}

function pageOf(position: number): number {
  return Math.floor(position / PAGE_BYTES);
}

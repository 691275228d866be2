import type { Base } from './commits.ts';
import type { GrowingBytes } from './growing-bytes.ts';

/** A content that the file has no more. */
export interface Superseded {
  readonly base: Base | undefined;
  readonly bytes: GrowingBytes;
}

/** One content of the file, for as long as a page is shown of it. */
interface Content {
  superseded?: Superseded | undefined;
}

/** Of the kernel's cache. A larger one of the machine makes a page here a part of one there, which changes nothing. */
const PAGE_BYTES = 4096;

/**
 * Which content of a file each page of it was last read of. What is stored in a mapping arrives as whole pages, and later: by then the file
 * may have become another one by other hands, of which these pages know nothing.
 */
export class ShownPages {
  #current: Content = {};
  /** Of what nobody has read here: who has it in a cache read it before the file was opened. */
  #first: Content = this.#current;
  #pages: Content[] = [];

  read(position: number, sizeBytes: number): void {
    for (let page = pageOf(position); page * PAGE_BYTES < position + sizeBytes; page += 1)
      this.#pages[page] = this.#current;
  }

  /** Who writes a part of a page goes on showing the rest of it as it was. */
  written(position: number, sizeBytes: number): void {
    const from = Math.ceil(position / PAGE_BYTES);
    for (let page = from; (page + 1) * PAGE_BYTES <= position + sizeBytes; page += 1)
      this.#pages[page] = this.#current;
  }

  /** Who cuts a file drops its pages. */
  cut(): void {
    this.#first = this.#current;
    this.#pages = [];
  }

  /** The file becomes another content. */
  supersede(content: Superseded): void {
    this.#current.superseded = content;
    this.#current = {};
  }

  /**
   * The file becomes what the page at `position` was read of.
   * @param leave what it is now, asked for where that is something else
   * @returns undefined where that is what it is
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

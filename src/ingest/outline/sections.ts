import type { OutlineSection } from '../../core/outline.ts';
import { foldSpace } from '../../text/fold-space.ts';
import type { AnchorNames } from './anchor-names.ts';
import { headingText, idText, ownId } from './heading-text.ts';
import type { InlineBlock } from './inline-blocks.ts';

/** Collects the sections of a document, heading by heading. */
export class Sections {
  readonly #names: AnchorNames;
  readonly #lastLine: number;
  readonly #sections: Mutable<OutlineSection>[] = [];
  /** The index of the section that is open. */
  #current = -1;

  /** @param lastLine the last line of the file */
  constructor(names: AnchorNames, lastLine: number) {
    this.#names = names;
    this.#lastLine = lastLine;
  }

  add(heading: InlineBlock): void {
    const { level, line } = heading;
    const parent = this.#close(level, line - 1);
    const own = ownId(heading);
    this.#current = this.#sections.length;
    this.#sections.push({
      level,
      title: foldSpace(headingText(heading)),
      anchor: own === undefined ? this.#names.ofHeading(idText(heading)) : this.#names.own(own),
      line,
      endLine: this.#lastLine,
      parent,
    });
  }

  /** How many sections there are so far. */
  get count(): number {
    return this.#sections.length;
  }

  finish(): readonly OutlineSection[] {
    return this.#sections;
  }

  /** Ends the open sections that a heading of this level is not part of. @returns the one that it is part of */
  #close(level: number, endLine: number): number {
    let open = this.#current;
    for (let section = this.#sections[open]; section !== undefined && section.level >= level; ) {
      section.endLine = endLine;
      open = section.parent;
      section = this.#sections[open];
    }
    return open;
  }
}

type Mutable<T> = { -readonly [Name in keyof T]: T[Name] };

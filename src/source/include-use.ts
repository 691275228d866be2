import { type DocsSelection, placeOf } from '../core/docs-selection.ts';
import type { DocsProblem } from './docs-problem.ts';
import { FileChoice } from './file-choice.ts';

/** Finds patterns of `include` that fit no file. A typing error in one would silently leave documents out. */
export class IncludeUse {
  readonly #selection: DocsSelection;
  /** Patterns that have fitted no file yet, with their form for each root. */
  readonly #unused: Map<string, ReadonlyMap<string, FileChoice | undefined>>;

  constructor(selection: DocsSelection) {
    this.#selection = selection;
    const { folders, include } = selection;
    const patterns = include.filter((pattern) => !pattern.startsWith('!'));
    this.#unused = new Map(
      patterns.map((pattern) => {
        const choiceIn = (name: string) => FileChoice.of({ include: [pattern], exclude: [] }, name);
        return [pattern, new Map(folders.map(({ name }) => [name, choiceIn(name)]))];
      }),
    );
  }

  /** Notes a file that is shown. @param path in the docs */
  file(path: string): void {
    if (this.#unused.size === 0 || path.startsWith('/')) return;
    const place = placeOf(this.#selection, path);
    if (place === undefined) return;
    for (const [pattern, choices] of this.#unused) {
      if (choices.get(place.root.name)?.shows(place.path, 'file')) this.#unused.delete(pattern);
    }
  }

  /** To be called after all files were noted. */
  problems(): DocsProblem[] {
    return [...this.#unused.keys()].map((pattern) => ({
      path: '',
      line: 0,
      code: 'include',
      message: `include: the pattern "${pattern}" fits no file of the docs; it is relative to the docs folder`,
    }));
  }
}

import GithubSlugger from 'github-slugger';

/** The ids of a document's headings, each once: by GitHub's rules, or as the headings give them. */
export class AnchorNames {
  readonly #slugger = new GithubSlugger();
  readonly #own = new Set<string>();
  /** How often each id was given, so that the next one is found at once. */
  readonly #counts = new Map<string, number>();

  /** The id of a heading without one of its own: in lower case, with hyphens for spaces, and with `-1`, `-2` if it was given before. */
  ofHeading(text: string): string {
    let id = this.#slugger.slug(text);
    while (this.#own.has(id)) id = this.#slugger.slug(text);
    return id;
  }

  /** The id that a heading gives itself, numbered in the same way if another heading has it. */
  own(id: string): string {
    let count = this.#counts.get(id) ?? 0;
    let unique = count === 0 ? id : `${id}-${count}`;
    while (this.#own.has(unique) || this.#isTaken(unique)) {
      count += 1;
      unique = `${id}-${count}`;
    }
    this.#counts.set(id, count);
    this.#own.add(unique);
    return unique;
  }

  #isTaken(id: string): boolean {
    return Object.hasOwn(this.#slugger.occurrences, id);
  }
}

/** So many changes are remembered at least, and twice as many at most. */
const MAX_REMEMBERED = 2000;

/** What changed last, each change with the version in which it came. Versions never go back. */
export class RecentChanges<What> {
  /** The latest last. */
  readonly #changes: { readonly version: number; readonly what: What }[] = [];
  /** Of the last one that was forgotten. */
  #forgottenVersion = 0;

  note(version: number, what: What): void {
    this.#changes.push({ version, what });
    if (this.#changes.length <= 2 * MAX_REMEMBERED) return;
    const forgotten = this.#changes.splice(0, this.#changes.length - MAX_REMEMBERED);
    this.#forgottenVersion = forgotten.at(-1)?.version ?? this.#forgottenVersion;
  }

  /** What came after a version, the first one first; undefined where not all of it is remembered. */
  since(version: number): What[] | undefined {
    if (version < this.#forgottenVersion) return undefined;
    const first = this.#changes.findLastIndex((change) => change.version <= version) + 1;
    return this.#changes.slice(first).map(({ what }) => what);
  }
}

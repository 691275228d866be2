/** At least this many changes are remembered, and at most twice as many. */
const MAX_REMEMBERED = 2000;

/** The latest changes, each with the version in which it was made. Versions never decrease. */
export class RecentChanges<What> {
  /** The latest is the last. */
  readonly #changes: { readonly version: number; readonly what: What }[] = [];
  /** The version of the last change that was forgotten. */
  #forgottenVersion = 0;

  note(version: number, what: What): void {
    this.#changes.push({ version, what });
    if (this.#changes.length <= 2 * MAX_REMEMBERED) return;
    const forgotten = this.#changes.splice(0, this.#changes.length - MAX_REMEMBERED);
    this.#forgottenVersion = forgotten.at(-1)?.version ?? this.#forgottenVersion;
  }

  /** The changes since a version, the first one first; undefined if some of them were forgotten. */
  since(version: number): What[] | undefined {
    if (version < this.#forgottenVersion) return undefined;
    const first = this.#changes.findLastIndex((change) => change.version <= version) + 1;
    return this.#changes.slice(first).map(({ what }) => what);
  }
}

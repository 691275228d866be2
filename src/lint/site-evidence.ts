/** If this many different addresses begin alike, and most of them are not in the docs, that part of the site is elsewhere. */
const ENOUGH_TO_BE_ELSEWHERE = 3;

interface Family {
  readonly found: number;
  readonly missing: number;
}

/** What all links with a leading slash tell about the site: which parts of it are in the docs, and which are generated or elsewhere. */
export class SiteEvidence {
  /** Counts of different addresses, by their kind with each of the folders at their beginning. */
  readonly #families = new Map<string, Family>();
  #foundInRoot = 0;
  #foundBelow = 0;
  #missing = 0;

  /** @param path an address without slashes at its ends, which no other call has given */
  add(path: string, isFound: boolean): void {
    this.#count(path, isFound ? 'found' : 'missing');
    if (isFound) this.#foundInRoot += 1;
    else this.#missing += 1;
  }

  /** Adds an address that was found by the name under which the site serves the docs. */
  addBelow(path: string): void {
    this.#count(path, 'found');
    this.#foundBelow += 1;
  }

  #count(path: string, as: keyof Family): void {
    for (const key of familiesOf(path)) {
      const family = this.#families.get(key) ?? { found: 0, missing: 0 };
      this.#families.set(key, { ...family, [as]: family[as] + 1 });
    }
  }

  /**
   * Whether an address that was not found should be in the docs, judging by those that begin alike.
   * @returns undefined if they tell nothing
   */
  saidOf(path: string): boolean | undefined {
    // If a part of the site is elsewhere, so is the page above it.
    const below = this.#families.get(`page ${path}`);
    if (below !== undefined && below.missing >= ENOUGH_TO_BE_ELSEWHERE && below.found === 0) return false;
    for (const key of familiesOf(path)) {
      const { found, missing } = this.#families.get(key) ?? { found: 0, missing: 0 };
      if (missing >= ENOUGH_TO_BE_ELSEWHERE && missing > found) return false;
      if (found > 0) return true;
    }
    return undefined;
  }

  /** Whether the docs root is at the root of the site; true also if too little is known. */
  get isRootOfSite(): boolean {
    // If the site serves the docs under a name, addresses that do not begin with it are elsewhere.
    if (this.#foundBelow > this.#foundInRoot) return false;
    return this.#foundInRoot > this.#missing || this.#foundInRoot + this.#missing < ENOUGH_TO_BE_ELSEWHERE;
  }
}

/** The kind of an address with its first two folders, its first folder, and none: narrowest first. */
function familiesOf(path: string): string[] {
  const kind = isAsset(path) ? 'asset' : 'page';
  const folders = path.split('/').slice(0, -1);
  if (folders.length === 0) return [`${kind} `];
  return folders.length === 1
    ? [`${kind} ${folders.join('/')}`]
    : [`${kind} ${folders.slice(0, 2).join('/')}`, `${kind} ${folders[0] ?? ''}`];
}

/** Whether an address ends like a file that is not a page. */
export function isAsset(path: string): boolean {
  return /\.(?!html?$|mdx?$|markdown$)[a-z][a-z\d]{1,5}$/i.test(path);
}

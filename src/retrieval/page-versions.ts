/**
 * Docs of several versions of a product side by side: `reference/5.1/jobs.md` and `reference/7.4/jobs.md`, `docs/jobs.md` and
 * `versioned_docs/version-2.x/jobs.md`. Which version of which page a document is, its path says.
 */

/** A page in one of its versions. */
export interface PageVersion {
  /** The same for all versions of a page. */
  readonly page: string;
  /** As people write it, `5.1`; empty where the path has no number of a version. */
  readonly number: string;
  /** The first number that differs says which is newer. */
  readonly order: readonly number[];
}

const OUT = [Number.POSITIVE_INFINITY];
const TO_COME = [Number.NEGATIVE_INFINITY];
const WORDS: ReadonlyMap<string, readonly number[]> = new Map([
  ...['latest', 'current', 'stable'].map((name) => [name, OUT] as const),
  ...['next', 'nightly', 'preview', 'unstable', 'unreleased'].map((name) => [name, TO_COME] as const),
]);
/** `5.1`, `2.x`, `v2`, `v1_3`, `version-3.0.x`, `release-1.2`, and a day or month. A bare number is a chapter's as likely. */
const NUMBERED =
  /^(?:(?:v|(?:version|release)[-_]?v?)(?<marked>\d{1,4}(?:[._]\d{1,4}){0,3})|(?<dotted>\d{1,4}(?:\.\d{1,4}){1,3}|\d{1,4}(?=\.x$)))(?:\.x)?$|^(?<day>\d{4}-\d\d(?:-\d\d)?)$/i;
/** Where Docusaurus has the pages of older versions, beside `docs`. */
const OF_OLDER_VERSIONS = 'versioned_docs';

/** @param path of a document */
export function pageVersionOf(path: string): PageVersion {
  const parts = path.split('/');
  for (const [index, part] of parts.slice(0, -1).entries()) {
    const numbered = NUMBERED.exec(part)?.groups;
    const number = numbered?.['marked'] ?? numbered?.['dotted'] ?? numbered?.['day'];
    const order = number === undefined ? WORDS.get(part) : number.split(/[._-]/).map(Number);
    if (order === undefined) continue;
    const others = parts.toSpliced(index, 1).map((other) => (other === OF_OLDER_VERSIONS ? 'docs' : other));
    return { page: others.join('/'), number: number ?? '', order };
  }
  return { page: path, number: '', order: OUT };
}

/** Sorts the newest first. */
export function byVersion(a: Pick<PageVersion, 'order'>, b: Pick<PageVersion, 'order'>): number {
  for (let index = 0; index < Math.max(a.order.length, b.order.length); index += 1) {
    const [one = 0, other = 0] = [a.order[index], b.order[index]];
    if (one !== other) return one < other ? 1 : -1;
  }
  return 0;
}

/** "5.1", "v2", "version 2". */
const NAMED = /(?<![\w.])(?<mark>v|version |release )?(?<number>\d{1,4}(?:[._-]\d{1,4}){0,3})(?!\w|\.\d)/gi;

/** The versions that a question names: as `PageVersion.number`. A bare number is more likely something else. */
export function versionsNamedIn(question: string): ReadonlySet<string> {
  const named = Array.from(question.matchAll(NAMED), ({ groups = {} }) => groups);
  return new Set(
    named
      .filter(({ mark, number = '' }) => mark !== undefined || /\D/.test(number))
      .map(({ number = '' }) => number),
  );
}

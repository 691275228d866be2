/**
 * Docs of several versions of a product side by side: `reference/5.1/jobs.md` and `reference/7.4/jobs.md`, `docs/jobs.md` and
 * `versioned_docs/version-2.x/jobs.md`. The path of a document tells which version of which page it is.
 */

/** A page in one of its versions. */
export interface PageVersion {
  /** The same for all versions of a page. */
  readonly page: string;
  /** The first number that differs tells which is newer. It is infinite if the path has no number. */
  readonly order: readonly number[];
  /** The folder with all versions of these docs, as a beginning of `page`; undefined if the path names no version. */
  readonly docs?: string;
  /** Whether that folder has the newest version itself, without a folder of its own. */
  readonly isBesideNewest?: boolean;
}

const OUT = [Number.POSITIVE_INFINITY];
const TO_COME = [Number.NEGATIVE_INFINITY];
const WORDS: ReadonlyMap<string, readonly number[]> = new Map([
  ...['latest', 'current', 'stable'].map((name) => [name, OUT] as const),
  ...['next', 'nightly', 'preview', 'unstable', 'unreleased'].map((name) => [name, TO_COME] as const),
]);
/**
 * `5.1`, `2.x`, `v2`, `v1_3`, `version-3.0.x`, `release-1.2`, and `v1.2-docs` beside `docs`. A bare number may just as well be a chapter, and four
 * numbers a host. A folder named by day or month contains what was said then.
 */
const NUMBERED =
  /^(?:(?:v|(?:version|release)[-_]?v?)(?<marked>\d{1,4}(?:[._]\d{1,4}){0,3})|(?<dotted>\d{1,4}(?:\.\d{1,4}){1,2}|\d{1,4}(?=\.x$)))(?:\.x)?(?<docs>-docs)?$/i;
/** The folder in which Docusaurus has the pages of older versions, beside `docs`. */
const OF_OLDER_VERSIONS = 'versioned_docs';

/** @param path of a document */
export function pageVersionOf(path: string): PageVersion {
  const parts = path.split('/');
  for (const [index, part] of parts.slice(0, -1).entries()) {
    const numbered = NUMBERED.exec(part)?.groups;
    const number = numbered?.['marked'] ?? numbered?.['dotted'];
    const order = number === undefined ? WORDS.get(part) : numbersOf(number);
    if (order === undefined) continue;
    const isBesideNewest = numbered?.['docs'] !== undefined || parts[index - 1] === OF_OLDER_VERSIONS;
    const folders = parts.slice(0, parts[index - 1] === OF_OLDER_VERSIONS ? index - 1 : index);
    const docs = (isBesideNewest ? [...folders, 'docs'] : folders).join('/');
    return { page: [docs, ...parts.slice(index + 1)].join('/'), order, docs, isBesideNewest };
  }
  return { page: path, order: OUT };
}

/** Sorts the newest first. */
export function byVersion(a: Pick<PageVersion, 'order'>, b: Pick<PageVersion, 'order'>): number {
  for (let index = 0; index < Math.max(a.order.length, b.order.length); index += 1) {
    const [one = 0, other = 0] = [a.order[index], b.order[index]];
    if (one !== other) return one < other ? 1 : -1;
  }
  return 0;
}

/** "5.1", "v2", "version 2". Four numbers without a mark are an address. */
const NAMED =
  /(?<![\w.])(?:(?:v|version |release )(?<marked>\d{1,4}(?:[._]\d{1,4}){0,3})|(?<bare>\d{1,4}(?:[._]\d{1,4}){1,2}))(?!\w|\.\d)/gi;

/**
 * Finds the versions that a question names. "Version 3" also matches `3.1`, and "5.1.3" also `5.1`. Of two numbers without a mark, as in "1.5
 * seconds", both have to match. A bare number more likely means something else.
 */
export function versionsNamedIn(question: string): (version: Pick<PageVersion, 'order'>) => boolean {
  const named = Array.from(question.matchAll(NAMED), ({ groups = {} }) => {
    const numbers = numbersOf(groups['marked'] ?? groups['bare'] ?? '');
    return { numbers, isWhole: groups['marked'] === undefined && numbers.length < 3 };
  });
  return ({ order }) =>
    named.some(({ numbers, isWhole }) => {
      if (isWhole && numbers.length !== order.length) return false;
      return numbers.slice(0, order.length).every((number, index) => number === order[index]);
    });
}

function numbersOf(text: string): number[] {
  return text.split(/[._]/).map(Number);
}

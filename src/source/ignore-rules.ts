import ignore, { type Ignore } from 'ignore';

/** `ignore` caches its answer for every path for good. After this many answers a fresh matcher takes over. */
const MAX_REMEMBERED_ANSWERS = 50_000;

/** The rules of the ignore files of one folder and of all folders above it, as in `gitignore(5)`. */
export class IgnoreRules {
  #matcher: Ignore;
  #answers = 0;

  private constructor(matcher: Ignore) {
    this.#matcher = matcher;
  }

  /**
   * The rules below a folder that has ignore files of its own. They come after those of `above`, so they win.
   * @param folder path of the folder, relative to the docs root
   * @param text all lines of its ignore files
   */
  static of(folder: string, text: string, above: IgnoreRules | undefined): IgnoreRules {
    const matcher = emptyMatcher();
    if (above !== undefined) matcher.add(above.#matcher);
    const lines = text.split(/\r?\n/);
    return new IgnoreRules(matcher.add(lines.map((line) => patternFromRoot(folder, line))));
  }

  /**
   * Whether a path, or a folder above it, is excluded.
   * @param path relative to the docs root; with a final slash for a folder, since some patterns are about folders
   */
  excludes(path: string): boolean {
    this.#answers += 1;
    if (this.#answers > MAX_REMEMBERED_ANSWERS) {
      this.#matcher = emptyMatcher().add(this.#matcher);
      this.#answers = 0;
    }
    return this.#matcher.ignores(path);
  }
}

/** Case matters, as for Git on Linux. */
function emptyMatcher(): Ignore {
  return ignore({ ignoreCase: false });
}

/**
 * A line of a folder's ignore file, rewritten so that it means the same in an ignore file at the root. All levels need one common list, so that the last match
 * wins across files: if `ignore` was asked for each file, a folder that an outer file excludes would hide what an inner file takes back.
 */
function patternFromRoot(folder: string, line: string): string {
  if (folder === '') return line;
  if (line.startsWith('#') || /^!?\/? *$/.test(line)) return '';
  const negation = line.startsWith('!') ? '!' : '';
  const pattern = line.slice(negation.length);
  const isAnchored = pattern.replace(/ +$/, '').slice(0, -1).includes('/');
  const base = folder.replace(/[\\*?[\]!# ]/g, '\\$&');
  return `${negation}/${base}/${isAnchored ? '' : '**/'}${pattern.replace(/^\//, '')}`;
}

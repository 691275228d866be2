import ignore, { type Ignore } from 'ignore';

/** `ignore` remembers its answer for every path it was asked, forever; past this many a fresh matcher takes over. */
const MAX_REMEMBERED_ANSWERS = 50_000;

/** What the ignore files of one folder and of all folders above it exclude, as `gitignore(5)` says. */
export class IgnoreRules {
  #matcher: Ignore;
  #answers = 0;

  private constructor(matcher: Ignore) {
    this.#matcher = matcher;
  }

  /**
   * The rules below a folder that has ignore files of its own: they come after the ones of `above`, so they win.
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
   * Whether a path is excluded, itself or by a folder above it.
   * @param path relative to the docs root; with a final slash for a folder, which some patterns are about
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

/** Git on Linux tells upper from lower case. */
function emptyMatcher(): Ignore {
  return ignore({ ignoreCase: false });
}

/**
 * A line of a folder's ignore file, written so that it means the same in one at the root. One list for all levels is
 * what makes the last match win across files: asked one by one, `ignore` would let a folder that an outer file
 * excludes hide what an inner file took back.
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

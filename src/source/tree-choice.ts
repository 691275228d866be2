import { baseName } from '../core/paths.ts';
import { isEntryName } from './entry-name.ts';
import { IGNORE_FILES, MAX_IGNORE_FILE_BYTES, withoutCostly } from './ignore-files.ts';
import { IgnoreRules } from './ignore-rules.ts';
import { isSecretFile } from './secret-file.ts';
import { isNotUtf8, isTooLong, MAX_DEPTH } from './visible-tree.ts';

export interface TreeChoiceOptions {
  /** The paths of all ignore files, relative to the docs root. */
  readonly ignoreFiles: Iterable<string>;
  /** The content of an ignore file; undefined if it cannot be read. Called when the content is needed. */
  readonly textOf: (path: string) => Buffer | undefined;
  /** A further condition, on the file itself and on each folder on the way to it. */
  readonly isChosen: (path: string, kind: 'file' | 'directory') => boolean;
}

interface Folder {
  readonly isShown: boolean;
  readonly rules: IgnoreRules | undefined;
}

/**
 * Which files of a tree that is not on disk are shown. The rules are those of a docs root; the input is a list of the tree's files and the content of its
 * ignore files.
 */
export class TreeChoice {
  readonly #options: TreeChoiceOptions;
  readonly #ignoreFiles: ReadonlySet<string>;
  readonly #folders = new Map<string, Folder>();

  constructor(options: TreeChoiceOptions) {
    this.#options = options;
    this.#ignoreFiles = new Set(options.ignoreFiles);
  }

  /** @param path of a regular file, relative to the docs root */
  shows(path: string): boolean {
    if (isNotUtf8(path) || isTooLong(path) || !path.split('/').every(isTouchable)) return false;
    if (isSecretFile(baseName(path))) return false;
    const folder = this.#folder(folderOf(path));
    if (!folder.isShown || !this.#options.isChosen(path, 'file')) return false;
    return folder.rules === undefined || !folder.rules.excludes(path);
  }

  #folder(path: string | undefined): Folder {
    const key = path ?? '';
    const known = this.#folders.get(key);
    if (known !== undefined) return known;
    const folder = this.#look(path);
    this.#folders.set(key, folder);
    return folder;
  }

  #look(path: string | undefined): Folder {
    if (path === undefined) return { isShown: true, rules: this.#rulesOf('', undefined) };
    const above = this.#folder(folderOf(path));
    const isShown =
      above.isShown &&
      !baseName(path).startsWith('.') &&
      path.split('/').length <= MAX_DEPTH &&
      this.#options.isChosen(path, 'directory') &&
      !above.rules?.excludes(`${path}/`);
    return { isShown, rules: isShown ? this.#rulesOf(path, above.rules) : undefined };
  }

  #rulesOf(folder: string, above: IgnoreRules | undefined): IgnoreRules | undefined {
    const files = IGNORE_FILES.map((name) => (folder === '' ? name : `${folder}/${name}`));
    const present = files.filter((file) => this.#ignoreFiles.has(file));
    if (present.length === 0) return above;
    const text = present.map((file) => this.#linesOf(file)).join('\n');
    return IgnoreRules.of(folder, text, above);
  }

  #linesOf(file: string): string {
    const bytes = this.#options.textOf(file);
    if (bytes === undefined || bytes.byteLength > MAX_IGNORE_FILE_BYTES) return '';
    return withoutCostly(bytes.toString('utf8').replace(/^\uFEFF/, ''), () => {});
  }
}

/** The folder of a path; undefined at the top. */
function folderOf(path: string): string | undefined {
  const slash = path.lastIndexOf('/');
  return slash === -1 ? undefined : path.slice(0, slash);
}

function isTouchable(name: string): boolean {
  return isEntryName(name) && name !== '.git';
}

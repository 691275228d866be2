import { baseName, foldCase, isMarkdown, withoutMarkdownEnding } from './paths.ts';

/** The names of all files of the docs, to be asked in every way in which links name them. */
export class FileNames {
  readonly #files = new Set<string>();
  readonly #folders = new Set<string>();
  readonly #folded = new Map<string, string>();
  readonly #byBaseName = new Map<string, string[]>();
  readonly #byRoute = new Map<string, string[]>();

  constructor(files: Iterable<string>) {
    for (const path of files) this.#add(path);
  }

  hasFile(path: string): boolean {
    return this.#files.has(path) || this.#files.has(path.normalize('NFC'));
  }

  /** The root is ``. */
  hasFolder(path: string): boolean {
    return path === '' || this.#folders.has(path) || this.#folders.has(path.normalize('NFC'));
  }

  /** The file or folder that a path names if letter case does not count. */
  inAnyCase(path: string): string | undefined {
    return this.#folded.get(foldCase(path));
  }

  /** Files of this name in any folder; letter case does not count, neither does the ending of markdown. */
  named(name: string): readonly string[] {
    return this.#byBaseName.get(foldName(name)) ?? [];
  }

  /** Documents whose address on a site would end like this; letter case does not count. @param route without ending and slash at the ends */
  withRouteEnd(route: string): readonly string[] {
    const wanted = foldCase(route);
    const candidates = this.#byRoute.get(baseName(wanted)) ?? [];
    return candidates.filter((path) => {
      const own = routeOf(path);
      return own === wanted || own.endsWith(`/${wanted}`);
    });
  }

  files(): Iterable<string> {
    return this.#files;
  }

  #add(path: string): void {
    this.#files.add(path);
    this.#folded.set(foldCase(path), path);
    const composed = path.normalize('NFC');
    if (composed !== path) this.#files.add(composed);
    push(this.#byBaseName, foldName(baseName(path)), path);
    if (isMarkdown(path)) push(this.#byRoute, baseName(routeOf(path)), path);
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
      const folder = path.slice(0, end);
      if (this.#folders.has(folder)) break;
      this.#folders.add(folder);
      this.#folded.set(foldCase(folder), folder);
    }
  }
}

/** Names of pages as people write them: space, hyphen and underscore are one. */
export function foldName(name: string): string {
  return foldCase(withoutMarkdownEnding(name)).replace(/[\s_-]+/g, '-');
}

/** The address of a document on a site: without ending, index and the numbers that order files. */
export function routeOf(path: string): string {
  const bare = foldCase(withoutMarkdownEnding(path)).replace(/(?:^|\/)(?:_?index|readme)$/, '');
  return /\d/.test(bare) ? bare.replace(/(^|\/)\d+[-_.]+(?=[^/])/g, '$1') : bare;
}

function push(lists: Map<string, string[]>, key: string, value: string): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}

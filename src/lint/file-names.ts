import { groupBy } from '../core/group.ts';
import { isMarkdown, withoutMarkdownEnding } from '../core/markdown-ending.ts';
import { baseName, folderOf } from '../core/paths.ts';
import { foldCase, joinPath } from './paths.ts';

/** The names of all files of the docs, to be asked in every way in which links name them. */
export class FileNames {
  /** In every form of Unicode that they may be asked in. */
  readonly #files = new Set<string>();
  readonly #written: string[] = [];
  readonly #folders = new Set<string>();
  #hasHugoSections: boolean | undefined;
  /** Those for links that name nothing as it is written are made when the first such link comes. */
  #folded: Map<string, string> | undefined;
  #byBaseName: Map<string, string[]> | undefined;
  #byRoute: Map<string, string[]> | undefined;

  constructor(files: Iterable<string>) {
    for (const path of files) this.#add(path);
  }

  /** Whether these are docs of Hugo, which alone has pages of this name. */
  get hasHugoSections(): boolean {
    this.#hasHugoSections ??= this.named('_index').some((path) => /(?:^|\/)_index\.md$/.test(path));
    return this.#hasHugoSections;
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
    this.#folded ??= new Map([...this.#folders, ...this.#written].map((one) => [foldCase(one), one]));
    return this.#folded.get(foldCase(path));
  }

  /** Files of this name in any folder; letter case does not count, neither does the ending of markdown. */
  named(name: string): readonly string[] {
    this.#byBaseName ??= groupBy(this.#written, (path) => foldName(baseName(path)));
    return this.#byBaseName.get(foldName(name)) ?? [];
  }

  /** Documents whose address on a site would end like this; letter case does not count. @param route without ending and slash at the ends */
  withRouteEnd(route: string): readonly string[] {
    const wanted = foldCase(route).replace(/\s+/g, '-');
    this.#byRoute ??= groupBy(this.#written.filter(isMarkdown), (path) => baseName(routeOf(path)));
    const candidates = this.#byRoute.get(baseName(wanted)) ?? [];
    return candidates.filter((path) => {
      const own = routeOf(path);
      return own === wanted || own.endsWith(`/${wanted}`);
    });
  }

  /** The document that another takes in by this path: from its folder, or the only one whose path ends like it, where sites look for snippets elsewhere. */
  included(from: string, path: string): string | undefined {
    const beside = joinPath(folderOf(from), path, '');
    if (beside !== undefined && this.hasFile(beside)) return beside;
    const parts = path.split('/').filter((part) => !/^(?:\.{0,2}|[@~].*)$/.test(part));
    for (; parts.length > 0; parts.shift()) {
      const [only, ...others] = this.named(parts.at(-1) ?? '').filter((file) =>
        `/${file}`.endsWith(`/${parts.join('/')}`),
      );
      if (only !== undefined) return others.length === 0 ? only : undefined;
    }
    return undefined;
  }

  /** Names of the folders of the docs root. */
  topFolders(): string[] {
    return [...this.#folders].filter((path) => !path.includes('/'));
  }

  files(): Iterable<string> {
    return this.#files;
  }

  #add(path: string): void {
    this.#files.add(path);
    this.#written.push(path);
    const composed = path.normalize('NFC');
    if (composed !== path) this.#files.add(composed);
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
      const folder = path.slice(0, end);
      if (this.#folders.has(folder)) break;
      this.#folders.add(folder);
    }
  }
}

/** Names of pages as people write them: space, hyphen and underscore are one. */
export function foldName(name: string): string {
  return foldCase(withoutMarkdownEnding(name)).replace(/[\s_-]+/g, '-');
}

/** The address of a document on a site: without ending, index and the numbers that order files, spaces as hyphens, a post's date as folders. */
export function routeOf(path: string): string {
  const bare = foldCase(withoutMarkdownEnding(path)).replace(/\s+/g, '-');
  const post = POST.exec(bare);
  const named = post === null && /\d/.test(bare) ? bare.replace(/(^|\/)\d+[-_.]+(?=[^/])/g, '$1') : bare;
  const dated = post === null ? named : named.replace(POST, '$1$2/$3/$4/');
  const route = dated.replace(/(?:^|\/)(?:_?index|readme)$/, '').replace(COLLECTION, '');
  // Next.js
  return /(?:^|\/)app\//.test(route) ? route.replace(/\/page$|\/\([^/()]+\)(?=\/)/g, '') : route;
}

/** Docusaurus and Jekyll. */
const POST = /(^|\/)(\d{4})-(\d\d)-(\d\d)-(?=[^/]+$)/;
/** Jekyll serves `_docs/page.md` as `/docs/page`. */
const COLLECTION = /^_(?=[^/]+\/)/;

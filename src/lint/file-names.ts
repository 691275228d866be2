import { groupBy } from '../core/group.ts';
import { isMarkdown, withoutMarkdownEnding } from '../core/markdown-ending.ts';
import { baseName, folderOf } from '../core/paths.ts';
import { foldCase, joinPath } from './paths.ts';

/** The names of all files of the docs, to be looked up in all ways in which links name them. */
export class FileNames {
  /** All files, in each Unicode normal form in which they may be looked up. */
  readonly #files = new Set<string>();
  readonly #written: string[] = [];
  readonly #folders = new Set<string>();
  #hasHugoSections: boolean | undefined;
  /** The following are made for the first link whose target does not exist as it is written. */
  #folded: Map<string, string> | undefined;
  #byBaseName: Map<string, string[]> | undefined;
  #byRoute: Map<string, string[]> | undefined;

  constructor(files: Iterable<string>) {
    for (const path of files) this.#add(path);
  }

  /** Whether these are docs of Hugo: only Hugo has pages with this name. */
  get hasHugoSections(): boolean {
    this.#hasHugoSections ??= this.named('_index').some((path) => /(?:^|\/)_index\.md$/.test(path));
    return this.#hasHugoSections;
  }

  hasFile(path: string): boolean {
    return this.#files.has(path) || this.#files.has(path.normalize('NFC'));
  }

  /** Whether there is a folder; '' is the root. */
  hasFolder(path: string): boolean {
    return path === '' || this.#folders.has(path) || this.#folders.has(path.normalize('NFC'));
  }

  /** The file or folder that a path names if letter case is ignored. */
  inAnyCase(path: string): string | undefined {
    this.#folded ??= new Map([...this.#folders, ...this.#written].map((one) => [foldCase(one), one]));
    return this.#folded.get(foldCase(path));
  }

  /** Files with this name in any folder. Letter case and the ending of markdown are ignored. */
  named(name: string): readonly string[] {
    this.#byBaseName ??= groupBy(this.#written, (path) => foldName(baseName(path)));
    return this.#byBaseName.get(foldName(name)) ?? [];
  }

  /** Documents whose address on a site would end with this. Letter case is ignored. @param route without an ending, and without slashes at its ends */
  withRouteEnd(route: string): readonly string[] {
    const wanted = foldCase(route).replace(/\s+/g, '-');
    this.#byRoute ??= groupBy(this.#written.filter(isMarkdown), (path) => baseName(routeOf(path)));
    const candidates = this.#byRoute.get(baseName(wanted)) ?? [];
    return candidates.filter((path) => {
      const own = routeOf(path);
      return own === wanted || own.endsWith(`/${wanted}`);
    });
  }

  /**
   * The document that another one includes by this path: from its folder, or the only one whose path ends with it, since sites look for snippets in
   * other places, too.
   */
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

  /** The names of the folders in the docs root. */
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

/** Makes names of pages comparable: spaces, hyphens and underscores count as the same. */
export function foldName(name: string): string {
  return foldCase(withoutMarkdownEnding(name)).replace(/[\s_-]+/g, '-');
}

/**
 * The address of a document on a site: without its ending, `index` and the numbers that order files, with hyphens for spaces, and the date of a post
 * as folders.
 */
export function routeOf(path: string): string {
  const bare = foldCase(withoutMarkdownEnding(path)).replace(/\s+/g, '-');
  const post = POST.exec(bare);
  const named = post === null && /\d/.test(bare) ? bare.replace(/(^|\/)\d+[-_.]+(?=[^/])/g, '$1') : bare;
  const dated = post === null ? named : named.replace(POST, '$1$2/$3/$4/');
  const route = dated.replace(/(?:^|\/)(?:_?index|readme)$/, '').replace(COLLECTION, '');
  // Next.js
  return /(?:^|\/)app\//.test(route) ? route.replace(/\/page$|\/\([^/()]+\)(?=\/)/g, '') : route;
}

/** A post of Docusaurus or Jekyll. */
const POST = /(^|\/)(\d{4})-(\d\d)-(\d\d)-(?=[^/]+$)/;
/** Jekyll serves `_docs/page.md` as `/docs/page`. */
const COLLECTION = /^_(?=[^/]+\/)/;

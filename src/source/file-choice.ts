import type { PlainKind } from '../core/resolver.ts';
import { IgnoreRules } from './ignore-rules.ts';

export interface FilePatterns {
  readonly include: readonly string[];
  readonly exclude: readonly string[];
}

/**
 * Which files of a docs root the settings choose, by patterns like those of ignore files: `*.md` at any depth, `specs/**` at the root; the last pattern that
 * fits wins, and `!` takes back. A file that is not chosen counts as missing.
 */
export class FileChoice {
  readonly #included: IncludedFiles | undefined;
  readonly #excluded: IgnoreRules | undefined;

  private constructor(included: IncludedFiles | undefined, excluded: IgnoreRules | undefined) {
    this.#included = included;
    this.#excluded = excluded;
  }

  /**
   * @param rootName a pattern that begins with this name is about files of this root, and is used without the name
   * @returns undefined if everything is chosen
   */
  static of({ include, exclude }: FilePatterns, rootName: string): FileChoice | undefined {
    if (include.length === 0 && exclude.length === 0) return undefined;
    const patternsOf = (given: readonly string[]) =>
      given.flatMap((pattern) => patternsFor(pattern, rootName));
    const excluded = exclude.length === 0 ? undefined : rulesOf(withFolders(patternsOf(exclude)));
    return new FileChoice(
      include.length === 0 ? undefined : new IncludedFiles(patternsOf(include)),
      excluded,
    );
  }

  /** @param path relative to the docs root */
  shows(path: string, kind: PlainKind): boolean {
    if (this.#excluded?.excludes(kind === 'directory' ? `${path}/` : path)) return false;
    return this.#included === undefined || this.#included.has(path, kind);
  }
}

/** The files that patterns name, and the folders that lead to them. */
class IncludedFiles {
  readonly #files: IgnoreRules;
  /** Whether some pattern may fit in any folder. */
  readonly #areAnywhere: boolean;
  /** Folders on the way to chosen files, by how many names their paths have. */
  readonly #onTheWay: (IgnoreRules | undefined)[];
  /** Folders below which a pattern may fit at any depth. */
  readonly #above: IgnoreRules | undefined;

  constructor(patterns: readonly string[]) {
    this.#files = rulesOf(patterns);
    const ways = patterns.filter((pattern) => !pattern.startsWith('!')).map(wayTo);
    this.#areAnywhere = ways.some(({ names, isDeep }) => isDeep && names.length === 0);
    const longest = Math.max(0, ...ways.map(({ names }) => names.length));
    this.#onTheWay = Array.from({ length: longest + 1 }, (_, depth) => {
      const folders = ways
        .filter(({ names }) => names.length >= depth)
        .map(({ names }) => names.slice(0, depth));
      return depth === 0 || folders.length === 0 ? undefined : rulesOf(folders.map(folderPattern));
    });
    const deep = ways.filter(({ names, isDeep }) => isDeep && names.length > 0);
    this.#above = deep.length === 0 ? undefined : rulesOf(deep.map(({ names }) => folderPattern(names)));
  }

  has(path: string, kind: PlainKind): boolean {
    if (kind === 'file') return this.#files.excludes(path);
    // A link may lead to a file or to a folder.
    return (kind === 'link' && this.#files.excludes(path)) || this.#hasFolder(path);
  }

  #hasFolder(path: string): boolean {
    if (this.#areAnywhere) return true;
    const folder = `${path}/`;
    const onTheWay = this.#onTheWay[path.split('/').length];
    return this.#files.excludes(folder) || !!onTheWay?.excludes(folder) || !!this.#above?.excludes(folder);
  }
}

interface Way {
  /** The names of the folders that a pattern leads through. They may contain `*`. */
  readonly names: readonly string[];
  /** Whether the pattern fits at any depth below these folders. */
  readonly isDeep: boolean;
}

function wayTo(pattern: string): Way {
  const isAnchored = pattern.slice(0, -1).includes('/');
  if (!isAnchored) return { names: [], isDeep: true };
  const names = pattern.replace(/^\/|\/$/g, '').split('/');
  const star = names.indexOf('**');
  return star === -1
    ? { names: names.slice(0, -1), isDeep: false }
    : { names: names.slice(0, star), isDeep: true };
}

function folderPattern(names: readonly string[]): string {
  return `/${names.join('/')}/`;
}

/** Adds patterns for folders: `archive/**` leaves nothing of its folder, so the folder is not shown either, unless something in it may be taken back. */
function withFolders(patterns: readonly string[]): string[] {
  const takesBack = patterns.some((pattern) => pattern.startsWith('!'));
  return patterns.flatMap((pattern) => {
    const folder = pattern.endsWith('/**') ? pattern.slice(0, -2) : '';
    if (takesBack || folder === '' || folder === '/') return [pattern];
    return [pattern, folder.slice(0, -1).includes('/') ? folder : `/${folder}`];
  });
}

function rulesOf(patterns: readonly string[]): IgnoreRules {
  return IgnoreRules.of('', patterns.join('\n'), undefined);
}

/** A pattern of the settings, as lines of an ignore file at the root. */
function patternsFor(given: string, rootName: string): string[] {
  const negation = given.startsWith('!') ? '!' : '';
  return alternativesOf(given.slice(negation.length)).flatMap((alternative) => {
    const pattern = alternative.replace(/^(?:\.\/)+/, '').replace(/^#/, '\\#');
    const prefix = `${rootName}/`;
    const rest = pattern.replace(/^\//, '');
    const ofRoot = rootName !== '' && rest.startsWith(prefix) ? [`/${rest.slice(prefix.length)}`] : [];
    return [pattern, ...ofRoot]
      .filter((line) => line !== '' && line !== '/')
      .map((line) => `${negation}${line}`);
  });
}

/**
 * Expands `*.{md,mdx}` to `*.md` and `*.mdx`, since ignore files have no braces. Up to {@link MAX_ALTERNATIVES}; a pattern with more is left as it is. What follows
 * a backslash stands for itself.
 */
function alternativesOf(pattern: string): string[] {
  const left = [pattern];
  const done: string[] = [];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const group = groupIn(next);
    if (group === undefined || left.length + done.length > MAX_ALTERNATIVES) done.push(next);
    else left.push(...group.parts.map((part) => `${group.before}${part}${group.after}`).reverse());
  }
  return done;
}

/** The first group of alternatives in a pattern that contains no other group. */
function groupIn(pattern: string) {
  for (const { 0: whole, 1: inside, index } of pattern.matchAll(ESCAPE_OR_GROUP)) {
    const parts = inside === undefined ? [] : partsOf(inside);
    if (parts.length < 2) continue;
    return { before: pattern.slice(0, index), parts, after: pattern.slice(index + whole.length) };
  }
  return undefined;
}

function partsOf(inside: string): string[] {
  return [...`,${inside}`.matchAll(ONE_PART)].map(([, part = '']) => part);
}

const ESCAPE_OR_GROUP = /\\.|\{((?:\\.|[^{}\\])*)\}/gs;
const ONE_PART = /,((?:\\.|[^,\\])*)/gs;
const MAX_ALTERNATIVES = 100;

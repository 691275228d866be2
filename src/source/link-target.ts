import { systemCodeOf } from '../core/errors.ts';
import type { VisibleFolder, VisibleTree } from './visible-tree.ts';

/** Where a link leads. `names` lie below the docs root; of a dangling link they are those it would have. */
export type LinkTarget = ShownTarget | { readonly kind: 'outside' | 'hidden' };
type ShownTarget =
  | { readonly kind: 'there' | 'dangling'; readonly names: readonly string[] }
  | { readonly kind: 'loop' };

/** `MAXSYMLINKS` of Linux. */
const MAX_LINKS = 40;

/**
 * Follows a link name by name as the kernel would, but never looks outside the docs root: of the folders above it only
 * the names are known, so a way through a link out there counts as outside. Looking would be unsafe too, since what
 * lies outside may be kgraphfs' own mount.
 * @param folderPath where the link lies
 * @param diskText its text on disk
 * @param givenRoot the absolute path the user named the docs root by, which links may use as well as the real one
 */
export function targetOf(
  tree: VisibleTree,
  folderPath: string,
  diskText: string,
  givenRoot: string,
): LinkTarget {
  const walk = new LinkWalk(tree, givenRoot);
  try {
    return walk.follow(folderPath, diskText);
  } finally {
    walk.close();
  }
}

/**
 * The text that a link is presented with. It keeps a reader inside whatever changes on disk later: it is relative,
 * and it climbs at its beginning only, at most to the docs root. Text on disk of this form stays as it is.
 */
export function presentedText(
  diskText: string,
  folderPath: string,
  name: string,
  target: ShownTarget,
): string {
  const here = namesOf(folderPath);
  if (staysInside(diskText, here.length)) return diskText;
  return relativeText(here, target.kind === 'loop' ? [...here, name] : target.names);
}

/** One walk along links. It holds the folders from the root down to where it stands. */
class LinkWalk {
  readonly #tree: VisibleTree;
  readonly #givenRoot: string;
  readonly #stack: VisibleFolder[] = [];
  /** The names still to go, the next one last. */
  readonly #pending: string[] = [];
  #links = 0;
  /** Above the docs root: how many names of its own path the walk has come down. Undefined inside. */
  #ancestors: number | undefined;

  constructor(tree: VisibleTree, givenRoot: string) {
    this.#tree = tree;
    this.#givenRoot = givenRoot;
  }

  follow(folderPath: string, text: string): LinkTarget {
    this.#goOn(namesOf(folderPath));
    return this.#goThrough() ?? this.#followText(text) ?? this.#goThrough() ?? this.#arrival();
  }

  close(): void {
    for (const folder of this.#stack.splice(0)) this.#tree.leave(folder);
  }

  /** Goes all names that are pending; an answer where the way ends early. */
  #goThrough(): LinkTarget | undefined {
    for (let name = this.#pending.pop(); name !== undefined; name = this.#pending.pop()) {
      if (name === '.') continue;
      const end = name === '..' ? this.#climb() : this.#step(name);
      if (end !== undefined) return end;
    }
    return undefined;
  }

  #arrival(): LinkTarget {
    return this.#ancestors === undefined ? { kind: 'there', names: this.#names() } : { kind: 'outside' };
  }

  #goOn(names: readonly string[]): void {
    this.#pending.push(...names.map((name) => name || '.').reverse());
  }

  #climb(): undefined {
    const folder = this.#stack.pop();
    if (folder !== undefined) this.#tree.leave(folder);
    else this.#ancestors = Math.max(0, (this.#ancestors ?? this.#tree.rootNames().length) - 1);
  }

  #step(name: string): LinkTarget | undefined {
    if (this.#ancestors !== undefined) return this.#descend(name, this.#ancestors);
    try {
      return this.#stepInside(name);
    } catch (error) {
      // What this user cannot follow is presented as it is, and refused when it is followed.
      if (systemCodeOf(error) === undefined) throw error;
      return this.#dangling(name);
    }
  }

  /** From a folder above the docs root there is one way that is known: down to it. */
  #descend(name: string, ancestors: number): LinkTarget | undefined {
    const rootNames = this.#tree.rootNames();
    if (rootNames[ancestors] !== name) return { kind: 'outside' };
    this.#ancestors = ancestors + 1 === rootNames.length ? undefined : ancestors + 1;
    return undefined;
  }

  #stepInside(name: string): LinkTarget | undefined {
    const folder = this.#stack.at(-1) ?? this.#tree.root();
    const entry = this.#tree.look(folder, name);
    if (entry === 'hidden') return { kind: 'hidden' };
    if (entry === 'missing') return this.#dangling(name);
    if (entry.kind === 'link') return this.#followText(folder.disk.linkTextOf(name));
    if (entry.kind === 'file') {
      return this.#pending.length === 0
        ? { kind: 'there', names: [...this.#names(), name] }
        : this.#dangling(name);
    }
    const child = this.#tree.enter(folder, name);
    if (child === undefined) return this.#dangling(name);
    this.#stack.push(child);
    return undefined;
  }

  #followText(text: string): LinkTarget | undefined {
    this.#links += 1;
    if (this.#links > MAX_LINKS) return { kind: 'loop' };
    if (!text.startsWith('/')) {
      this.#goOn(text.split('/'));
      return undefined;
    }
    this.close();
    if (`${text}/`.startsWith(`${this.#givenRoot}/`)) {
      this.#goOn(text.slice(this.#givenRoot.length).split('/'));
    } else {
      this.#ancestors = 0;
      this.#goOn(text.split('/'));
    }
    return undefined;
  }

  /**
   * The rest of the way from a name that is missing or no folder, by the text alone. A `..` further on, which could
   * make it lead somewhere, is cut off; the `.` in its place lets it dangle at a file too.
   */
  #dangling(name: string): LinkTarget {
    const rest = this.#pending.toReversed();
    let depth = this.#stack.length + 1;
    for (const next of rest) {
      if (next !== '.') depth += next === '..' ? -1 : 1;
      if (depth < 0) return { kind: 'outside' };
    }
    const cut = rest.indexOf('..');
    const names = cut === -1 ? rest : [...rest.slice(0, cut), '.'];
    return { kind: 'dangling', names: [...this.#names(), name, ...names] };
  }

  #names(): string[] {
    return namesOf(this.#stack.at(-1)?.path ?? '');
  }
}

function namesOf(path: string): string[] {
  return path === '' ? [] : path.split('/');
}

/** Whether a link's text is relative and has `..` only at its beginning, at most `depth` times. */
function staysInside(text: string, depth: number): boolean {
  if (text.startsWith('/')) return false;
  const names = text.split('/').filter((name) => name !== '' && name !== '.');
  const climbs = names.lastIndexOf('..') + 1;
  return climbs <= depth && names.slice(0, climbs).every((name) => name === '..');
}

function relativeText(from: readonly string[], to: readonly string[]): string {
  let common = 0;
  while (common < from.length && from[common] === to[common]) common += 1;
  const names = [...from.slice(common).map(() => '..'), ...to.slice(common)];
  return names.length === 0 ? '.' : names.join('/');
}

import { systemCodeOf } from '../core/errors.ts';
import type { VisibleFolder, VisibleTree } from './visible-tree.ts';

/** Where a link leads. `names` lie below the docs root; for a dangling link they are the names that its target would have. */
export type LinkTarget = ShownTarget | { readonly kind: 'outside' | 'hidden' };
type ShownTarget =
  | { readonly kind: 'there' | 'dangling'; readonly names: readonly string[] }
  | { readonly kind: 'loop' };

/** `MAXSYMLINKS`, the limit of Linux. */
const MAX_LINKS = 40;

/**
 * Follows a link name by name as the kernel would, but never looks outside the docs root. Only the names of the folders above the root are known, so a way
 * through a link out there counts as outside. Looking would also be unsafe, since kgraphfs' own mount may lie there.
 * @param folderPath the folder of the link
 * @param diskText the text of the link on disk
 * @param givenRoot the absolute path by which the user named the docs root. Links may use it as well as the real path
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
 * The text with which a link is presented. It keeps readers inside the docs, whatever changes on disk later: it is relative, and climbs only at its beginning,
 * at most to the docs root. A text on disk of this form stays as it is.
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

/** One walk along links. It holds the folders from the root down to its present place. */
class LinkWalk {
  readonly #tree: VisibleTree;
  readonly #givenRoot: string;
  readonly #stack: VisibleFolder[] = [];
  /** The names that are still to be walked, the next one last. */
  readonly #pending: string[] = [];
  #links = 0;
  /** While the walk is above the docs root: how many names of the root's own path it has come down. Undefined inside the root. */
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

  /** Walks all pending names. @returns where the link leads if the walk ends early */
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
      // A link that this user cannot follow is presented as it is, and following it is refused.
      if (systemCodeOf(error) === undefined) throw error;
      return this.#dangling(name);
    }
  }

  /** From a folder above the docs root only one way is known: the one down to the root. */
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
   * The rest of the way from a name that is missing or no folder, by the text alone. It is cut off at a `..`, which could make it lead somewhere; the `.` in
   * its place keeps the link dangling even if the name is a file.
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

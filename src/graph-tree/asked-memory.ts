import { after, recover } from '../core/awaitable.ts';
import { ALL_BELOW, type SubPath } from '../core/paths.ts';
import type { Awaitable } from '../core/resolver.ts';
import type { MemoryGraph, MemoryNode } from '../memory-graph/memory-graph.ts';

type AskedGraph = Pick<MemoryGraph, 'settle' | 'reference' | 'listed' | 'namesSince'>;
type SeenNode = Pick<MemoryNode, 'id' | 'version'>;

/** If more paths were seen, the whole subtree is reported. */
const MAX_PATHS = 2000;

/** What callers have seen of `graph/memory/`. Of all changes, only those to this have to be reported. */
export class AskedMemory {
  readonly #graph: AskedGraph;
  /** By path: the version of the node that was seen there, and the name under which it was looked up. */
  readonly #nodes = new Map<string, { readonly name: string; readonly seen: string }>();
  readonly #files = new Set<string>();
  /** The version whose names were listed. */
  #listed: number | undefined;

  constructor(graph: AskedGraph) {
    this.#graph = graph;
  }

  /** @param path of the node, by the name under which it was looked up */
  addNode(path: string, name: string, node: SeenNode): void {
    if (this.#nodes.size > MAX_PATHS && !this.#nodes.has(path)) return;
    this.#nodes.set(path, { name, seen: seenOf(node) });
  }

  /** Adds a file that any change may affect. */
  addFile(path: string): void {
    this.#files.add(path);
  }

  /** To be called when names were listed in their present state. */
  addListing(): void {
    this.#listed ??= this.#graph.listed().revision;
  }

  /** The paths at which something else is shown now. */
  changed(): Awaitable<readonly SubPath[]> {
    const isAsked = this.#nodes.size > 0 || this.#files.size > 0 || this.#listed !== undefined;
    if (!isAsked) return [];
    return recover(
      () => after(this.#graph.settle(), () => this.#changed()),
      // If memory cannot be read, anything may have changed. The error is reported to the next reader.
      () => ALL_BELOW,
    );
  }

  #changed(): readonly SubPath[] {
    if (this.#nodes.size > MAX_PATHS) return ALL_BELOW;
    const paths = new Set<string>(this.#files);
    for (const [path, { name, seen }] of this.#nodes) {
      const node = this.#graph.reference(name);
      const now = node === undefined ? '' : seenOf(node);
      if (now === seen) continue;
      paths.add(path);
      this.#nodes.set(path, { name, seen: now });
    }
    const listed = this.#listedAnew();
    if (listed === undefined) return ALL_BELOW;
    for (const { name, type } of listed) paths.add(`nodes/${name}`).add(`types/${type}/${name}`);
    return Array.from(paths, (path) => path as SubPath);
  }

  /** Names that were added or removed; undefined if any may have been. */
  #listedAnew(): ReturnType<MemoryGraph['namesSince']> {
    const before = this.#listed;
    if (before === undefined) return [];
    this.#listed = this.#graph.listed().revision;
    return this.#listed === before ? [] : this.#graph.namesSince(before);
  }
}

function seenOf({ id, version }: SeenNode): string {
  return `${version} ${id}`;
}

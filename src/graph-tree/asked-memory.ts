import { after, recover } from '../core/awaitable.ts';
import { ALL_BELOW, type SubPath } from '../core/paths.ts';
import type { Awaitable } from '../core/resolver.ts';
import type { MemoryGraph, MemoryNode } from '../memory-graph/memory-graph.ts';

type AskedGraph = Pick<MemoryGraph, 'settle' | 'reference' | 'listed' | 'namesSince'>;
type SeenNode = Pick<MemoryNode, 'id' | 'version'>;

/** With more paths than this, all of the subtree is told. */
const MAX_PATHS = 2000;

/** What somebody saw of `graph/memory/`, so that of what changes only this need be told. */
export class AskedMemory {
  readonly #graph: AskedGraph;
  /** Which version of which node was seen at a path, by the path; and the name that it was looked up by. */
  readonly #nodes = new Map<string, { readonly name: string; readonly seen: string }>();
  readonly #files = new Set<string>();
  /** The version of which names were listed. */
  #listed: number | undefined;

  constructor(graph: AskedGraph) {
    this.#graph = graph;
  }

  /** @param path of the node, by whatever name it was looked up */
  addNode(path: string, name: string, node: SeenNode): void {
    if (this.#nodes.size > MAX_PATHS && !this.#nodes.has(path)) return;
    this.#nodes.set(path, { name, seen: seenOf(node) });
  }

  /** A file that any change may change. */
  addFile(path: string): void {
    this.#files.add(path);
  }

  /** Names were listed as they are now. */
  addListing(): void {
    this.#listed ??= this.#graph.listed().revision;
  }

  /** Where what was seen is no longer so. */
  changed(): Awaitable<readonly SubPath[]> {
    const isAsked = this.#nodes.size > 0 || this.#files.size > 0 || this.#listed !== undefined;
    if (!isAsked) return [];
    return recover(
      () => after(this.#graph.settle(), () => this.#changed()),
      // Where memory cannot be read any may have changed; why it cannot is told to who reads it next.
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

  /** Names that came or went; undefined where any may have. */
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

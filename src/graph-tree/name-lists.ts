import type { NodeType } from '../core/graph-model.ts';
import type { Awaitable, DirEntry } from '../core/resolver.ts';
import type { GraphQueries } from '../graph/queries.ts';

/** How many names are read at a time: that takes about a millisecond. */
const NAMES_AT_A_TIME = 2000;
/** How often a listing is begun again because the graph has changed meanwhile. */
const MAX_READINGS = 3;

/** The names of all nodes, or of those of one type, in name order. Other requests are answered while a long list is read. */
export class NameLists {
  readonly #graph: Pick<GraphQueries, 'namesAfter' | 'lastChange'>;
  /** Lists that were returned, by what they list. They are kept as long as the memory is not needed otherwise. */
  readonly #known = new Map<
    string,
    { readonly revision: number; readonly entries: WeakRef<readonly DirEntry[]> }
  >();

  constructor(graph: Pick<GraphQueries, 'namesAfter' | 'lastChange'>) {
    this.#graph = graph;
  }

  /** @param kind what the listing shows each name as */
  entries(kind: 'file' | 'link', type?: NodeType): Awaitable<readonly DirEntry[]> {
    const listing = type ?? 'nodes';
    const revision = this.#revisionOf(type);
    const known = this.#known.get(listing);
    const kept = known?.revision === revision ? known.entries.deref() : undefined;
    if (kept !== undefined) return kept;
    const first = this.#graph.namesAfter('', NAMES_AT_A_TIME, type);
    const entry = (name: string): DirEntry => ({ name, kind });
    if (first.length < NAMES_AT_A_TIME) return first.map(entry);
    return this.#readOn(first.map(entry), entry, type);
  }

  async #readOn(
    first: readonly DirEntry[],
    entry: (name: string) => DirEntry,
    type: NodeType | undefined,
  ): Promise<readonly DirEntry[]> {
    let revision = this.#revisionOf(type);
    let entries = [...first];
    for (let reading = 1; ; ) {
      await new Promise(setImmediate);
      const now = this.#revisionOf(type);
      if (now !== revision && reading < MAX_READINGS) {
        reading += 1;
        revision = now;
        entries = [];
      }
      const names = this.#graph.namesAfter(entries.at(-1)?.name ?? '', NAMES_AT_A_TIME, type);
      for (const name of names) entries.push(entry(name));
      if (names.length < NAMES_AT_A_TIME) break;
    }
    this.#known.set(type ?? 'nodes', { revision, entries: new WeakRef(entries) });
    return entries;
  }

  #revisionOf(type: NodeType | undefined): number {
    return this.#graph.lastChange(type ?? 'nodes')?.revision ?? 0;
  }
}

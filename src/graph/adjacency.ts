import type { EdgeType } from '../core/graph-model.ts';
import type { Store } from '../store/store.ts';

/** The type and direction of a step along an edge, as one number. */
export type StepKind = number;

/**
 * Which nodes are neighbours, in a few bytes per edge. A search through the whole graph takes a millisecond or two, while asking the store for each
 * node would take a hundred times as long.
 */
export class Adjacency {
  readonly #types: readonly EdgeType[];
  /** The steps of the node `id` are those from `#first[id]` to `#first[id + 1]`. */
  readonly #first: Int32Array;
  readonly #others: Int32Array;
  readonly #kinds: Uint16Array;
  readonly #documents: Uint8Array;

  /** Reads the graph as the store has it now. */
  constructor(store: Store) {
    const groups = store.edges.endsByType();
    const size = store.keys.last() + 2;
    this.#types = groups.map(({ type }) => type);
    this.#first = firstSteps(groups, size);
    const count = this.#first[size - 1] ?? 0;
    this.#others = new Int32Array(count);
    this.#kinds = new Uint16Array(count);
    this.#fill(groups);
    this.#documents = new Uint8Array(size);
    for (const id of store.nodes.idsOfType('Document')) this.#documents[id] = 1;
  }

  /** One more than the highest id of a node. */
  get size(): number {
    return this.#documents.length;
  }

  isDocument(id: number): boolean {
    return this.#documents[id] === 1;
  }

  /** Calls back for each edge of a node, in both directions and in no particular order. */
  visit(id: number, step: (otherId: number, kind: StepKind) => void): void {
    const end = this.#first[id + 1] ?? 0;
    for (let at = this.#first[id] ?? 0; at < end; at += 1) step(this.#others[at] ?? 0, this.#kinds[at] ?? 0);
  }

  /** The type and direction that a kind of step stands for. */
  edgeOf(kind: StepKind): { readonly type: EdgeType; readonly direction: 'out' | 'in' } | undefined {
    const type = this.#types[kind >> 1];
    return type && { type, direction: kind % 2 === 0 ? 'out' : 'in' };
  }

  #fill(groups: readonly EdgeGroup[]): void {
    const next = this.#first.slice();
    const put = (id: number, otherId: number, kind: StepKind) => {
      const at = next[id] ?? 0;
      this.#others[at] = otherId;
      this.#kinds[at] = kind;
      next[id] = at + 1;
    };
    groups.forEach(({ sources, targets }, type) => {
      sources.forEach((source, index) => {
        const target = targets[index] ?? 0;
        put(source, target, type * 2);
        put(target, source, type * 2 + 1);
      });
    });
  }
}

interface EdgeGroup {
  readonly sources: readonly number[];
  readonly targets: readonly number[];
}

function firstSteps(groups: readonly EdgeGroup[], size: number): Int32Array {
  const first = new Int32Array(size);
  for (const { sources, targets } of groups) {
    for (const ends of [sources, targets]) for (const id of ends) first[id + 1] = (first[id + 1] ?? 0) + 1;
  }
  for (let id = 1; id < size; id += 1) first[id] = (first[id] ?? 0) + (first[id - 1] ?? 0);
  return first;
}

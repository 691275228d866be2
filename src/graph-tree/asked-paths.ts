import { EDGE_TYPES, isNodeTypeOfMap } from '../core/graph-model.ts';
import { ALL_BELOW, type SubPath } from '../core/paths.ts';
import type { GraphChanges } from '../graph/changes.ts';
import type { GraphQueries } from '../graph/queries.ts';

/** If more paths have changed, they are reported as one: the whole subtree. */
const MAX_TOLD = 5000;

/**
 * Paths of `graph/` that somebody has asked for. Of all changes, only those to these have to be reported: what nobody looked at is in nobody's cache.
 * Changed names in listings are always reported, since a folder is listed without asking for each name.
 */
export class AskedPaths {
  /** Ids of nodes whose page below `nodes/` was asked for. */
  readonly #nodes = new NumberSet();
  /** All other pages that were asked for by the name that is shown: `markdown/Charge`, `near/Charge`, `edges/requires.jsonl`, `path`. */
  readonly #places = new Set<string>();
  /** Paths with a name other than the one that is shown, such as `nodes/charges`: any change may make them lead elsewhere. */
  readonly #otherNames = new Set<string>();

  addNode(id: number): void {
    this.#nodes.add(id);
  }

  addPlace(path: string): void {
    this.#places.add(path);
  }

  addOtherName(path: string): void {
    if (this.#otherNames.size <= MAX_TOLD) this.#otherNames.add(path);
  }

  /** Whether a page was asked for that depends on every change of the graph or of memory. */
  has(path: string): boolean {
    return this.#places.has(path);
  }

  /** The paths that changes of the graph affect. @param changes undefined if it is not known what has changed */
  changed(changes: GraphChanges | undefined): readonly SubPath[] {
    if (changes === undefined) return ALL_BELOW;
    const paths = new Set<string>(this.#otherNames);
    const addPlace = (path: string) => {
      if (this.#places.has(path)) paths.add(path);
    };
    for (const { id, name } of changes.nodes) {
      if (this.#nodes.has(id)) paths.add(`nodes/${name}`);
      addPlace(`markdown/${name}`);
      addPlace(`near/${name}`);
    }
    for (const { name, type } of changes.listed) {
      paths.add(`nodes/${name}`).add(`types/${type}/${name}`);
      if (isNodeTypeOfMap(type)) paths.add(`types/${type}`);
      addPlace(`markdown/${name}`);
      addPlace(`near/${name}`);
    }
    for (const type of changes.edgeTypes) {
      const path = `edges/${type}.jsonl`;
      if (EDGE_TYPES.some((one) => one === type)) addPlace(path);
      else paths.add(path);
    }
    for (const path of ['stats.json', 'graph.json', 'path']) addPlace(path);
    return paths.size > MAX_TOLD ? ALL_BELOW : Array.from(paths, (path) => path as SubPath);
  }
}

/** How the graph has changed since the last call. */
export function changesOf(
  graph: Pick<GraphQueries, 'revision' | 'changesSince'>,
): () => GraphChanges | undefined {
  let told = graph.revision();
  return () => {
    const since = told;
    told = graph.revision();
    // The first graph gives all folders their time. A graph that began anew has no changes compared with the previous one.
    const isOther = told < since || (since === 0 && told > 0);
    return isOther ? undefined : graph.changesSince(since, MAX_TOLD);
  };
}

/** A set of whole numbers that takes little memory. */
class NumberSet {
  #words = new Uint32Array(64);

  add(number: number): void {
    const word = number >>> 5;
    if (word >= this.#words.length) {
      const grown = new Uint32Array(word * 2);
      grown.set(this.#words);
      this.#words = grown;
    }
    this.#words[word] = (this.#words[word] ?? 0) | (1 << (number & 31));
  }

  has(number: number): boolean {
    return ((this.#words[number >>> 5] ?? 0) & (1 << (number & 31))) !== 0;
  }
}

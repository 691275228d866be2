import type { EDGE_TYPES, EdgeType, NodeKey } from '../core/graph-model.ts';
import type { Adjacency, StepKind } from './adjacency.ts';

/** One step of a path: the node, and the edge to the next one (none at the end). */
export interface PathStep {
  readonly id: number;
  readonly edge?: { readonly type: EdgeType; readonly direction: 'out' | 'in' };
}

/**
 * The shortest path between two nodes. Edges may be walked in both directions. A path through meaning is preferred, which passes through no document.
 * Only if there is none may a document that mentions both be the link. Among paths of equal length the most telling one is chosen: causes are
 * preferred to membership, and edges walked forward to those walked backward. Undefined if the two are not connected; a single step if they are the
 * same.
 * @param keyOf the key of a node, which decides between equally good paths: it does not depend on what was indexed first
 */
export function shortestPath(
  graph: Adjacency,
  fromId: number,
  toId: number,
  keyOf: (id: number) => NodeKey,
): PathStep[] | undefined {
  if (fromId === toId) return [{ id: fromId }];
  const distances =
    distancesTo(graph, toId, fromId, 'around documents') ??
    distancesTo(graph, toId, fromId, 'through documents');
  return distances && bestOf(graph, fromId, distances, keyOf);
}

/** The cost of an edge of each built-in type. */
const COST: Readonly<Record<(typeof EDGE_TYPES)[number], number>> & Readonly<Record<string, number>> = {
  triggers: 0,
  generates: 0,
  returns: 1,
  requires: 1,
  belongs_to: 2,
  depends_on: 1,
  child_of: 2,
  parent_of: 2,
  references: 5,
  contains: 5,
};
/** The cost of an edge of a type from a schema map. */
const COST_OF_OTHERS = 1;
/** The additional cost of walking an edge backward. */
const BACKWARD_COST = 2;

/** How many steps each node is from the end, as far as the start; 0 for nodes on no path. */
type Distances = Int32Array;

/** Undefined if no path leads there. Breadth-first from the end. The end itself has 1, since 0 means none. */
function distancesTo(
  graph: Adjacency,
  toId: number,
  fromId: number,
  leads: 'around documents' | 'through documents',
): Distances | undefined {
  const distances = new Int32Array(graph.size);
  distances[toId] = 1;
  let frontier = [toId];
  for (let distance = 2; frontier.length > 0 && distances[fromId] === 0; distance += 1) {
    const next: number[] = [];
    for (const id of frontier) {
      graph.visit(id, (otherId) => {
        if (distances[otherId] !== 0) return;
        const isWay = otherId === fromId || leads === 'through documents' || !graph.isDocument(otherId);
        distances[otherId] = isWay ? distance : -1;
        if (isWay) next.push(otherId);
      });
    }
    frontier = next;
  }
  return distances[fromId] === 0 ? undefined : distances;
}

interface Arrival {
  readonly previous: number;
  readonly kind: StepKind;
  readonly cost: number;
}

/** Walks from the start towards the end, level by level, and keeps the best path to each node. */
function bestOf(
  graph: Adjacency,
  fromId: number,
  distances: Distances,
  keyOf: (id: number) => NodeKey,
): PathStep[] {
  const levels: Map<number, Arrival>[] = [];
  let frontier: Iterable<number> = [fromId];
  for (let distance = (distances[fromId] ?? 0) - 1; distance > 0; distance -= 1) {
    const before = levels.at(-1);
    const reached = new Map<number, Arrival>();
    for (const previous of frontier) {
      const soFar = before?.get(previous)?.cost ?? 0;
      graph.visit(previous, (id, kind) => {
        if (distances[id] !== distance) return;
        const next = { previous, kind, cost: soFar + costOf(graph, kind) };
        const known = reached.get(id);
        if (known === undefined || isBetter(graph, next, known, keyOf)) reached.set(id, next);
      });
    }
    levels.push(reached);
    frontier = reached.keys();
  }
  return unwind(graph, levels);
}

function costOf(graph: Adjacency, kind: StepKind): number {
  const edge = graph.edgeOf(kind);
  if (edge === undefined) return 0;
  return (COST[edge.type] ?? COST_OF_OTHERS) + (edge.direction === 'in' ? BACKWARD_COST : 0);
}

function isBetter(graph: Adjacency, next: Arrival, known: Arrival, keyOf: (id: number) => NodeKey): boolean {
  if (next.cost !== known.cost) return next.cost < known.cost;
  if (next.previous !== known.previous) return keyOf(next.previous) < keyOf(known.previous);
  return (graph.edgeOf(next.kind)?.type ?? '') < (graph.edgeOf(known.kind)?.type ?? '');
}

/** The last level contains only the end. */
function unwind(graph: Adjacency, levels: readonly ReadonlyMap<number, Arrival>[]): PathStep[] {
  let [id = 0] = levels.at(-1)?.keys() ?? [];
  const path: PathStep[] = [{ id }];
  for (const level of levels.toReversed()) {
    const arrival = level.get(id);
    const edge = arrival && graph.edgeOf(arrival.kind);
    if (arrival === undefined || edge === undefined) throw new Error(`the search reached ${id} from nowhere`);
    id = arrival.previous;
    path.unshift({ id, edge });
  }
  return path;
}

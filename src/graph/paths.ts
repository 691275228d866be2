import { EDGE_TYPES, type EdgeType } from '../core/graph-model.ts';
import type { Step } from '../store/edges.ts';
import type { Store } from '../store/store.ts';

/** One step of a path: the node, and the edge that leads on from it (none at the end). */
export interface PathStep {
  readonly id: number;
  readonly edge?: { readonly type: EdgeType; readonly direction: 'out' | 'in' };
}

/**
 * The shortest path between two nodes, edges walked either way. A path through meaning comes first: one that passes
 * through no document on its way; only where there is none may a document that mentions both be the link. Among paths of equal length
 * specific edges are preferred to `references` and `contains`.
 * Undefined where the two are not connected; a single step where they are the same.
 */
export function shortestPath(store: Store, fromId: number, toId: number): PathStep[] | undefined {
  return search(store, fromId, toId, false) ?? search(store, fromId, toId, true);
}

interface Arrival {
  readonly previous: number;
  readonly step: Step;
}

/** Breadth-first, level by level, so that the best of several equally short ways to a node can be chosen. */
function search(
  store: Store,
  fromId: number,
  toId: number,
  throughDocuments: boolean,
): PathStep[] | undefined {
  if (fromId === toId) return [{ id: fromId }];
  const isDocument = documentTest(store);
  const arrivals = new Map<number, Arrival>();
  let frontier = [fromId];
  while (frontier.length > 0) {
    const reached = new Map<number, Arrival>();
    for (const previous of frontier) {
      if (!throughDocuments && previous !== fromId && isDocument(previous)) continue;
      for (const step of store.edges.steps(previous)) {
        if (step.id === fromId || arrivals.has(step.id)) continue;
        const known = reached.get(step.id);
        if (known === undefined || isBetter(step, previous, known)) reached.set(step.id, { previous, step });
      }
    }
    for (const [id, arrival] of reached) arrivals.set(id, arrival);
    if (arrivals.has(toId)) return unwind(arrivals, fromId, toId);
    frontier = [...reached.keys()].sort((a, b) => a - b);
  }
  return undefined;
}

/** Documents are told by their type, asked once for each node met. */
function documentTest(store: Store): (id: number) => boolean {
  const known = new Map<number, boolean>();
  return (id) => {
    let answer = known.get(id);
    if (answer === undefined) {
      answer = store.nodes.byId(id)?.type === 'Document';
      known.set(id, answer);
    }
    return answer;
  };
}

function isBetter(step: Step, previous: number, known: Arrival): boolean {
  const byType = EDGE_TYPES.indexOf(step.type) - EDGE_TYPES.indexOf(known.step.type);
  if (byType !== 0) return byType < 0;
  return previous < known.previous;
}

function unwind(arrivals: ReadonlyMap<number, Arrival>, fromId: number, toId: number): PathStep[] {
  const path: PathStep[] = [{ id: toId }];
  for (let id = toId; id !== fromId; ) {
    const arrival = arrivals.get(id);
    if (arrival === undefined) throw new Error(`the search reached ${id} from nowhere`);
    const { previous, step } = arrival;
    path.unshift({ id: previous, edge: { type: step.type, direction: step.direction } });
    id = previous;
  }
  return path;
}

import type { EdgeType } from '../core/graph-model.ts';
import type { Step } from '../store/edges.ts';
import type { Store } from '../store/store.ts';

/** One step of a path: the node, and the edge that leads on from it (none at the end). */
export interface PathStep {
  readonly id: number;
  readonly edge?: { readonly type: EdgeType; readonly direction: 'out' | 'in' };
}

/**
 * The shortest path between two nodes, edges walked either way. A path through meaning comes first: one that passes
 * through no document on its way; only where there is none may a document that mentions both be the link. Among paths of
 * equal length the one that tells most is chosen: what causes what before what belongs to what, edges walked
 * as they point before those walked back.
 * Undefined where the two are not connected; a single step where they are the same.
 */
export function shortestPath(store: Store, fromId: number, toId: number): PathStep[] | undefined {
  return search(store, fromId, toId, false) ?? search(store, fromId, toId, true);
}

/** What an edge of a type takes from a path's worth. */
const COST: Readonly<Record<EdgeType, number>> = {
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
/** What walking an edge against its direction takes. */
const BACKWARD_COST = 2;

interface Arrival {
  readonly previous: number;
  readonly step: Step;
  readonly cost: number;
}

/** Breadth-first, level by level: when a level is done, the best of the equally short ways to each of its nodes is known. */
function search(
  store: Store,
  fromId: number,
  toId: number,
  throughDocuments: boolean,
): PathStep[] | undefined {
  if (fromId === toId) return [{ id: fromId }];
  const arrivals = new Map<number, Arrival>();
  let frontier = [fromId];
  while (frontier.length > 0) {
    const reached = new Map<number, Arrival>();
    for (const previous of frontier) {
      const arrival = arrivals.get(previous);
      if (!throughDocuments && arrival?.step.nodeType === 'Document') continue;
      for (const step of store.edges.steps(previous)) {
        if (step.id === fromId || arrivals.has(step.id)) continue;
        const next = { previous, step, cost: (arrival?.cost ?? 0) + costOf(step) };
        const known = reached.get(step.id);
        if (known === undefined || isBetter(next, known, arrivals)) reached.set(step.id, next);
      }
    }
    for (const [id, arrival] of reached) arrivals.set(id, arrival);
    if (arrivals.has(toId)) return unwind(arrivals, fromId, toId);
    frontier = [...reached.keys()];
  }
  return undefined;
}

function costOf({ type, direction }: Step): number {
  return COST[type] + (direction === 'in' ? BACKWARD_COST : 0);
}

/** Equally good ways are told apart by the key of the node before, which does not depend on what was indexed first. */
function isBetter(next: Arrival, known: Arrival, arrivals: ReadonlyMap<number, Arrival>): boolean {
  if (next.cost !== known.cost) return next.cost < known.cost;
  const keyBefore = ({ previous }: Arrival) => arrivals.get(previous)?.step.key ?? '';
  if (keyBefore(next) !== keyBefore(known)) return keyBefore(next) < keyBefore(known);
  return next.step.type < known.step.type;
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

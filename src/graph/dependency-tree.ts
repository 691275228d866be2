import { compareEdgeTypes, type EdgeType } from '../core/graph-model.ts';
import type { Branch } from '../store/edges.ts';
import type { StoredNode } from '../store/nodes.ts';
import type { Store } from '../store/store.ts';
import type { Direction } from './queries.ts';

/** A node where it stands in the tree of what another one leads to. */
export interface TreeNode {
  /** Display label. */
  readonly node: string;
  readonly type: string;
  /** The edges between the node above and this one: `out` leads to this one. Empty for the root. */
  readonly edges: readonly { readonly edge_type: EdgeType; readonly direction: 'out' | 'in' }[];
  /**
   * Why nothing is drawn below although there may be something: the node is one of those above (`cycle`), or stands in the tree already
   * with all that would be drawn here (`drawn`).
   */
  readonly mark: 'cycle' | 'drawn' | null;
  readonly children: readonly TreeNode[];
  /** Count of neighbours that are left out because there are too many. */
  readonly more: number;
  /** Count of neighbours that are left out because they lie deeper than was asked for. */
  readonly deeper: number;
}

export interface TreeOptions {
  /** How many edges the tree goes away from its root. */
  readonly depth: number;
  readonly direction: Direction;
  /** Undefined for all. */
  readonly edgeTypes: ReadonlySet<string> | undefined;
  /** How many neighbours of a node are drawn at most: the first by type of edge, weight and name. */
  readonly limit: number;
}

/** A tree of more nodes tells nobody anything; neighbours beyond are counted. */
const MAX_NODES = 10_000;

/**
 * The tree of what a node leads to, or of what leads to it. Each node is followed once, as deep as it is met first or deeper, so that it ends
 * in whatever circles a graph goes.
 */
export function dependencyTree(
  { edges }: Pick<Store, 'edges'>,
  root: StoredNode,
  { depth, direction, edgeTypes, limit }: TreeOptions,
): TreeNode {
  /** How deep it was followed from each node. */
  const followed = new Map<number, number>();
  const above = new Set<number>();
  let drawn = 0;

  function neighboursOf(id: number, from: number | undefined): Neighbour[] {
    const branches = edges.branches(id, direction);
    const chosen = edgeTypes === undefined ? branches : branches.filter(({ type }) => edgeTypes.has(type));
    const neighbours = grouped(chosen);
    // Walked both ways, each edge would lead back at once.
    return direction === 'both' ? neighbours.filter((neighbour) => neighbour.id !== from) : neighbours;
  }

  function countBelow(id: number, from: number | undefined): number {
    const types = edgeTypes && [...edgeTypes];
    return edges.neighbourCount(id, direction, types, direction === 'both' ? from : undefined);
  }

  function draw(node: Neighbour, left: number, from: number | undefined): TreeNode {
    drawn += 1;
    const head = { node: node.display, type: node.type, edges: node.edges };
    const leaf = { ...head, mark: null, children: [], more: 0, deeper: 0 };
    if (above.has(node.id)) return { ...leaf, mark: 'cycle' };
    if ((followed.get(node.id) ?? -1) >= left) return { ...leaf, mark: 'drawn' };
    followed.set(node.id, left);
    if (left === 0) return { ...leaf, deeper: countBelow(node.id, from) };
    const neighbours = neighboursOf(node.id, from);
    above.add(node.id);
    const children: TreeNode[] = [];
    for (const neighbour of neighbours.slice(0, limit)) {
      if (drawn >= MAX_NODES) break;
      children.push(draw(neighbour, left - 1, node.id));
    }
    above.delete(node.id);
    return { ...leaf, children, more: neighbours.length - children.length };
  }

  return draw({ ...root, edges: [], weight: 0 }, depth, undefined);
}

interface Neighbour extends Pick<StoredNode, 'id' | 'display'> {
  readonly type: string;
  readonly edges: TreeNode['edges'];
  /** The greatest of its edges. */
  readonly weight: number;
}

/** Each neighbour once, by its most specific edge, weight and name. */
function grouped(branches: readonly Branch[]): Neighbour[] {
  const byId = new Map<number, { first: Branch; edges: Branch[]; weight: number }>();
  for (const branch of branches) {
    const known = byId.get(branch.id);
    if (known === undefined) {
      byId.set(branch.id, { first: branch, edges: [branch], weight: branch.weight });
      continue;
    }
    known.edges.push(branch);
    if (compareEdgeTypes(branch.type, known.first.type) < 0) known.first = branch;
    known.weight = Math.max(known.weight, branch.weight);
  }
  return [...byId.values()]
    .sort(
      (a, b) =>
        compareEdgeTypes(a.first.type, b.first.type) ||
        b.weight - a.weight ||
        (a.first.display < b.first.display ? -1 : 1),
    )
    .map(({ first: { id, display, nodeType }, edges, weight }) => ({
      id,
      display,
      type: nodeType,
      weight,
      edges: edges
        .sort((a, b) => compareEdgeTypes(a.type, b.type))
        .map(({ type, direction }) => ({ edge_type: type, direction })),
    }));
}

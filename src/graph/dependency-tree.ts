import { compareEdgeTypes, type EdgeType } from '../core/graph-model.ts';
import type { Branch } from '../store/edges.ts';
import type { StoredNode } from '../store/nodes.ts';
import type { Store } from '../store/store.ts';
import type { Direction } from './queries.ts';

/** A node at its place in the tree of what another node leads to. */
export interface TreeNode {
  /** The label. */
  readonly node: string;
  readonly type: string;
  /** The edges between the node above and this one. `out` leads to this one. Empty for the root. */
  readonly edges: readonly { readonly edge_type: EdgeType; readonly direction: 'out' | 'in' }[];
  /**
   * Why nothing is drawn below although there may be something: the node is one of those above (`cycle`), or is already in the tree with everything
   * that would be drawn here (`drawn`).
   */
  readonly mark: 'cycle' | 'drawn' | null;
  readonly children: readonly TreeNode[];
  /** How many neighbours are left out because there are too many. */
  readonly more: number;
  /** How many neighbours are left out because they are deeper than was asked for. */
  readonly deeper: number;
}

export interface TreeOptions {
  /** How many edges the tree goes away from its root. */
  readonly depth: number;
  readonly direction: Direction;
  /** Undefined for all types. */
  readonly edgeTypes: ReadonlySet<string> | undefined;
  /** How many neighbours of a node are drawn at most: the first by type of edge, weight and name. */
  readonly limit: number;
}

/** A tree of more nodes would be of no use to anybody. Further neighbours are only counted. */
const MAX_NODES = 10_000;

/**
 * What a node leads to, or what leads to it, as a tree. Each node is followed once, as deep as at its first place or deeper, so that the tree is
 * finite whatever cycles the graph has.
 */
export function dependencyTree(
  { edges }: Pick<Store, 'edges'>,
  root: StoredNode,
  { depth, direction, edgeTypes, limit }: TreeOptions,
): TreeNode {
  /** How deep each node was followed. */
  const followed = new Map<number, number>();
  const above = new Set<number>();
  let drawn = 0;

  function neighboursOf(id: number, from: number | undefined): Neighbour[] {
    const branches = edges.branches(id, direction);
    const chosen = edgeTypes === undefined ? branches : branches.filter(({ type }) => edgeTypes.has(type));
    const neighbours = grouped(chosen);
    // In both directions, each edge would immediately lead back.
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
  /** The greatest weight of its edges. */
  readonly weight: number;
}

/** The neighbours, each once, sorted by their most specific edge, weight and name. */
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

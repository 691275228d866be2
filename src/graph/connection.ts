import type { StoredNode } from '../store/nodes.ts';
import type { GraphQueries } from './queries.ts';
import { type PathView, pathView, spaced } from './view.ts';

export type ConnectionStep = PathView['path'][number] & {
  /** Where the edge to the next node is stated; empty at the end. */
  readonly evidence: readonly string[];
};

/** A path with the lines that state each of its edges. */
export type Connection = Omit<PathView, 'path'> & { readonly path: readonly ConnectionStep[] };

/** How two nodes are connected: the shortest path, where one through meaning precedes one through a page that mentions both; undefined if there is none. */
export function connectionOf(graph: GraphQueries, from: StoredNode, to: StoredNode): Connection | undefined {
  const steps = graph.path(from, to);
  if (steps === undefined) return undefined;
  const view = pathView(graph, steps);
  const nodes = steps.map(({ id }) => graph.nodeById(id));
  const path = view.path.map((step, index) => {
    const [here, next] = [nodes[index], nodes[index + 1]];
    if (here === undefined || next === undefined || step.direction === null) return { ...step, evidence: [] };
    const [source, target] = step.direction === 'out' ? [here, next] : [next, here];
    const edge = graph
      .outgoing(source)
      .find(({ targetId, type }) => targetId === target.id && type === step.edge_to_next);
    return { ...step, evidence: edge?.evidence ?? [] };
  });
  return { ...view, path };
}

/** The content of `graph/path/<from>/<to>`: JSON with one step per line, with a line feed at the end. */
export function connectionText({ source, target, path_length, path }: Connection): string {
  return `{
  "source": ${JSON.stringify(source)},
  "target": ${JSON.stringify(target)},
  "path_length": ${path_length},
  "path": [
    ${path.map(spaced).join(',\n    ')}
  ]
}
`;
}

/** Each edge of a path in its own direction. */
export function statementsOf(path: readonly ConnectionStep[]): {
  readonly source: string;
  readonly edgeType: string;
  readonly target: string;
  readonly evidence: readonly string[];
}[] {
  return path.slice(0, -1).map(({ node, edge_to_next, direction, evidence }, index) => {
    const next = path[index + 1]?.node ?? '';
    const [source, target] = direction === 'out' ? [node, next] : [next, node];
    return { source, edgeType: edge_to_next ?? '', target, evidence };
  });
}

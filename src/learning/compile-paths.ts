/** Finds paths through the graph that were walked so often that they are worth an edge of their own. */
import type { NodeKey } from '../core/graph-model.ts';
import { documentPathOf } from '../core/identity.ts';
import type { GraphQueries } from '../graph/queries.ts';
import type { StoredEdge } from '../store/edges.ts';
import type { StoredNode } from '../store/nodes.ts';
import type { Walk } from './walks.ts';

/** On how many occasions a path has to be walked before it is proposed. */
const DEFAULT_MIN_OCCASIONS = 3;
const MIN_NODES = 3;
const MAX_NODES = 6;
/**
 * Somebody who walks from node to node at random walks some paths often, if nodes have few neighbours. This is the maximal probability that chance
 * has brought any of the observed paths so often.
 */
const MAX_CHANCE = 0.25;

export interface WalkedPath {
  readonly nodes: readonly StoredNode[];
  /** The most telling edge of each step; one fewer than there are nodes. */
  readonly steps: readonly StoredEdge[];
  readonly occasions: number;
}

export type WalkedGraph = Pick<GraphQueries, 'node' | 'nodeById' | 'outgoing' | 'neighbours' | 'path'>;

/** On which occasions it was walked, and on which somebody asked for the path by its ends. */
interface Found {
  readonly nodes: readonly StoredNode[];
  readonly visited: Set<string>;
  readonly asked: Set<string>;
}

/** Paths that were walked forward along edges, and through no document: most often walked first, and longer ones before parts of them. */
export function walkedPaths(
  walks: readonly Walk[],
  graph: WalkedGraph,
  minOccasions: number = DEFAULT_MIN_OCCASIONS,
): WalkedPath[] {
  const known = knownNodes(graph);
  const visits = new Map<NodeKey, number>();
  const found = new Map<string, Found>();
  for (const { kind, occasion, nodes: names } of walks) {
    const nodes = names.map(known.node);
    if (kind === 'asked') {
      const way = askedWay(nodes, graph);
      if (way !== undefined) foundAt(found, way).asked.add(occasion);
      continue;
    }
    for (const node of nodes) if (node !== undefined) visits.set(node.key, (visits.get(node.key) ?? 0) + 1);
    for (const way of visitedWays(nodes, known.leadsTo)) foundAt(found, way).visited.add(occasion);
  }
  const often = [...found.values()].filter(({ visited, asked }) => {
    return new Set([...visited, ...asked]).size >= minOccasions;
  });
  const meant = often.filter(
    ({ nodes, visited, asked }) =>
      asked.size >= minOccasions ||
      chanceOf(nodes, visited.size, visits, known.neighbours) * found.size <= MAX_CHANCE,
  );
  return withoutParts(meant).flatMap(({ nodes, visited, asked }) => {
    const steps = stepsOf(nodes, graph);
    return steps === undefined ? [] : [{ nodes, steps, occasions: new Set([...visited, ...asked]).size }];
  });
}

/** The edges of a path; undefined if it is not in the graph any more. */
export function stepsOf(
  nodes: readonly StoredNode[],
  graph: Pick<GraphQueries, 'outgoing'>,
): StoredEdge[] | undefined {
  const steps = nodes.slice(0, -1).flatMap((node, index) => {
    const next = nodes[index + 1];
    const edges = graph.outgoing(node).filter(({ targetId }) => targetId === next?.id);
    const [best] = edges.sort(
      (a, b) => Number(isVague(a)) - Number(isVague(b)) || b.confidence - a.confidence,
    );
    return best === undefined ? [] : [best];
  });
  return steps.length === nodes.length - 1 ? steps : undefined;
}

/** Whether an edge says only that one thing mentions the other. */
function isVague({ type }: StoredEdge): boolean {
  return type === 'references' || type === 'contains';
}

/** A cache, since the same names are looked up again and again. */
function knownNodes(graph: WalkedGraph) {
  const nodes = new Map<string, StoredNode | undefined>();
  const targets = new Map<number, ReadonlySet<number>>();
  const counts = new Map<number, number>();
  return {
    node(name: string): StoredNode | undefined {
      if (!nodes.has(name)) {
        const node = graph.node(name);
        nodes.set(name, node?.type === 'Document' ? undefined : node);
      }
      return nodes.get(name);
    },
    leadsTo(from: StoredNode, to: StoredNode): boolean {
      let known = targets.get(from.id);
      if (known === undefined) {
        known = new Set(graph.outgoing(from).map(({ targetId }) => targetId));
        targets.set(from.id, known);
      }
      return known.has(to.id);
    },
    neighbours(node: StoredNode): number {
      let known = counts.get(node.id);
      if (known === undefined) {
        const others = graph
          .neighbours(node)
          .map((edge) => (edge.sourceId === node.id ? edge.target : edge.source));
        known = new Set(others.filter((key) => documentPathOf(key) === undefined)).size;
        counts.set(node.id, known);
      }
      return known;
    },
  };
}

function foundAt(found: Map<string, Found>, nodes: readonly StoredNode[]): Found {
  const id = nodes.map(({ key }) => key).join('\n');
  let known = found.get(id);
  if (known === undefined) {
    known = { nodes, visited: new Set(), asked: new Set() };
    found.set(id, known);
  }
  return known;
}

/** The path between two ends that the graph gives as an answer, if it leads from one to the other without turning. */
function askedWay(
  [from, to]: readonly (StoredNode | undefined)[],
  graph: WalkedGraph,
): StoredNode[] | undefined {
  const path = from === undefined || to === undefined ? undefined : graph.path(from, to);
  if (path === undefined || path.length < MIN_NODES || path.length > MAX_NODES) return undefined;
  const nodes = path.map(({ id }) => graph.nodeById(id));
  const directions = new Set(path.flatMap(({ edge }) => edge?.direction ?? []));
  const through = nodes.filter((node) => node !== undefined && node.type !== 'Document');
  if (directions.size !== 1 || through.length !== nodes.length) return undefined;
  const forward = through.flatMap((node) => node ?? []);
  return directions.has('in') ? forward.reverse() : forward;
}

/** All parts of a walk in which each node leads to the next. Parts that were walked backwards are reversed. */
function* visitedWays(
  visited: readonly (StoredNode | undefined)[],
  leadsTo: (from: StoredNode, to: StoredNode) => boolean,
): Generator<readonly StoredNode[]> {
  const nodes = visited.filter((node, index) => node === undefined || node.id !== visited[index - 1]?.id);
  for (let start = 0; start < nodes.length; start += 1) {
    yield* waysFrom(nodes, start, leadsTo);
    for (const way of waysFrom(nodes, start, (from, to) => leadsTo(to, from))) yield way.toReversed();
  }
}

function* waysFrom(
  nodes: readonly (StoredNode | undefined)[],
  start: number,
  leadsTo: (from: StoredNode, to: StoredNode) => boolean,
): Generator<readonly StoredNode[]> {
  const way: StoredNode[] = [];
  for (let at = start; at < nodes.length && way.length < MAX_NODES; at += 1) {
    const [last, node] = [way.at(-1), nodes[at]];
    if (
      node === undefined ||
      way.some(({ id }) => id === node.id) ||
      (last !== undefined && !leadsTo(last, node))
    )
      return;
    way.push(node);
    if (way.length >= MIN_NODES) yield [...way];
  }
}

/** The probability that a path is walked this often by somebody who takes a random neighbour at each step: the tail of a Poisson distribution. */
function chanceOf(
  nodes: readonly StoredNode[],
  occasions: number,
  visits: ReadonlyMap<NodeKey, number>,
  neighbours: (node: StoredNode) => number,
): number {
  const expectedFrom = (way: readonly StoredNode[]) => {
    const begun = visits.get(way[0]?.key ?? '') ?? 0;
    return way.slice(0, -1).reduce((product, node) => product / Math.max(1, neighbours(node)), begun);
  };
  // It may have been walked from either end.
  const expected = expectedFrom(nodes) + expectedFrom(nodes.toReversed());
  let fewer = 0;
  for (let count = 0, term = Math.exp(-expected); count < occasions; count += 1) {
    fewer += term;
    term *= expected / (count + 1);
  }
  return Math.max(0, 1 - fewer);
}

/** A part of a longer path that was walked equally often tells nothing more. */
function withoutParts(found: readonly Found[]): Found[] {
  const size = ({ visited, asked }: Found) => new Set([...visited, ...asked]).size;
  const text = ({ nodes }: Found) => `\n${nodes.map(({ key }) => key).join('\n')}\n`;
  const inOrder = found.toSorted(
    (a, b) => size(b) - size(a) || b.nodes.length - a.nodes.length || (text(a) < text(b) ? -1 : 1),
  );
  return inOrder.filter(
    (one) =>
      one.asked.size >= size(one) ||
      !inOrder.some((other) => other !== one && size(other) >= size(one) && text(other).includes(text(one))),
  );
}

import {
  compareEdgeTypes,
  type EdgeType,
  type NodeType,
  withBuiltInEdgeTypes,
  withBuiltInNodeTypes,
} from '../core/graph-model.ts';
import type { Relation, StoredEdge, TypedEdge } from '../store/edges.ts';
import type { Listing } from '../store/listings.ts';
import type {
  FoundNode,
  ListedNode,
  NodeIdentity,
  NodeReference,
  Revision,
  ShownNode,
  StoredNode,
} from '../store/nodes.ts';
import type { Store } from '../store/store.ts';
import { Adjacency } from './adjacency.ts';
import { changesSince, type GraphChanges } from './changes.ts';
import { graphCounts } from './counts.ts';
import { findDocument, findNode, type NameMatch, similarNames } from './lookup.ts';
import { findByOtherName } from './other-names.ts';
import { type PathStep, shortestPath } from './paths.ts';
import { allSections, type DocumentSections, sectionsOf, sectionsUnlessMany } from './sections.ts';
import { builtAtMs, type GraphStats, graphStats } from './stats.ts';

export type Direction = 'out' | 'in' | 'both';

export interface NeighbourOptions {
  /** Default: both. */
  readonly direction?: Direction;
  /** Default: all types. */
  readonly edgeTypes?: readonly EdgeType[];
}

/** The nodes around one node, and all edges among them. */
export interface Subgraph {
  readonly nodes: readonly ListedNode[];
  readonly edges: readonly TypedEdge[];
  /** Whether nodes were left out because of the limit. */
  readonly truncated: boolean;
}

/** The edges of one type that leave a node, or arrive at it. */
export interface Side {
  readonly type: EdgeType;
  readonly direction: 'out' | 'in';
}

export interface Relations {
  readonly outgoing: readonly Relation[];
  readonly incoming: readonly Relation[];
}

/** Questions about the graph: the one interface that mount, command line and tools use. */
export interface GraphQueries {
  revision(): number;
  /** When the graph last changed; undefined before the first build. */
  builtAtMs(): number | undefined;
  /** When a listing last changed; undefined if it has always been empty. */
  lastChange(listing: Listing): Revision | undefined;
  /** @see changesSince */
  changesSince(revision: number, limit: number): GraphChanges | undefined;
  /** @see Store.holdStill */
  holdStill(): void;
  /**
   * Finds a node by its listed name, its identity, or a name that differs only in case and punctuation; a document also by its id, or its path
   * without the ending; a thing also by the short form that the docs introduce for it, or by what its name is short for.
   */
  node(name: string): StoredNode | undefined;
  /** As `node`, but returns only what is needed to show that it exists. */
  reference(name: string): NodeReference | undefined;
  nodeById(id: number): StoredNode | undefined;
  /** What the page of a node shows. */
  shownNode(id: number): ShownNode | undefined;
  /** Names similar to this one, best first: for "did you mean" and for search by name. */
  similar(text: string, limit: number): NameMatch[];
  names(): { name: string; type: NodeType }[];
  /** Listed names after this one, in name order, at most `limit` of them. */
  namesAfter(name: string, limit: number, type?: NodeType): string[];
  /** The identities of all nodes, by key. */
  identities(): NodeIdentity[];
  /** In name order. */
  nodes(filter?: { type?: NodeType; minDegree?: number }): StoredNode[];
  /** Outgoing edges: specific types first, then by weight, then by the label at the other end. */
  outgoing(node: StoredNode): StoredEdge[];
  incoming(node: StoredNode): StoredEdge[];
  /** Outgoing and incoming edges, each sorted as `outgoing` and `incoming` do, with what a page shows. */
  relations(id: number): Relations;
  /** The same; undefined if there are so many that it would take more than a few milliseconds. */
  relationsUnlessMany(id: number): Relations | undefined;
  /** The sides of a node at which it has neighbours. */
  sides(id: number): Side[];
  /** The names of the neighbours at one side, in no particular order, at most `limit` of them. */
  namesAtSide(id: number, side: Side, limit?: number): string[];
  /** Whether another node is one of the neighbours at one side. */
  isAtSide(id: number, side: Side, otherId: number): boolean;
  /** Outgoing edges, then incoming ones, each sorted as above. */
  neighbours(node: StoredNode, options?: NeighbourOptions): StoredEdge[];
  edgesOfType(type: EdgeType): Iterable<TypedEdge>;
  edges(): Iterable<StoredEdge>;
  /** @see shortestPath */
  path(from: StoredNode, to: StoredNode): PathStep[] | undefined;
  /** The nodes up to `depth` edges away from a node, in either direction. If there are more than `maxNodes`, including itself, the nearest ones. */
  subgraph(center: StoredNode, depth: number, maxNodes: number): Subgraph;
  stats(): GraphStats;
  /** The built-in types, and those types of a schema map that occur, in the order of listings. */
  nodeTypes(): readonly NodeType[];
  edgeTypes(): readonly EdgeType[];
  /** Whether there is a document at a path of the docs, or a folder with one. */
  docsAt(path: string): 'document' | 'folder' | undefined;
  /** @see sectionsOf */
  sectionsOf(path: string): DocumentSections | undefined;
  /** @see sectionsUnlessMany */
  sectionsUnlessMany(path: string): DocumentSections | undefined;
  /** Paths of the documents whose structure has changed since a revision, at most `limit` of them. */
  structuresChangedSince(revision: number, limit: number): string[];
  /** The sections of all documents, in the order of their paths. */
  allSections(): Iterable<DocumentSections>;
}

const NO_LIMIT = Number.MAX_SAFE_INTEGER;

export function graphQueries(store: Store): GraphQueries {
  const { found, lastFound } = findingByName(store);
  const adjacency = rememberedByRevision(store, () => new Adjacency(store));
  const outgoing = (node: StoredNode) =>
    store.edges.outgoing(node.id).sort(byRank((edge) => edge.targetDisplay));
  const incoming = (node: StoredNode) =>
    store.edges.incoming(node.id).sort(byRank((edge) => edge.sourceDisplay));
  return {
    revision: () => store.revision(),
    builtAtMs: () => builtAtMs(store),
    lastChange: (listing) => store.listings.lastChange(listing),
    changesSince: (revision, limit) => changesSince(store, revision, limit),
    holdStill: () => store.holdStill(),
    node: (name) => findNode(store.nodes, name) ?? findDocument(store, name) ?? findByOtherName(store, name),
    reference: (name) => found(name) ?? findNode(store.nodes, name) ?? findByOtherName(store, name),
    nodeById: (id) => store.nodes.byId(id),
    shownNode(id) {
      const node = lastFound();
      return node?.id === id ? shownOf(node) : store.nodes.shown(id);
    },
    similar: (text, limit) => similarNames(store, text, limit),
    names: () => store.nodes.names(),
    namesAfter: (name, limit, type) => store.nodes.namesAfter(name, limit, type),
    identities: () => store.nodes.identities(),
    nodes: ({ type, minDegree = 0 } = {}) =>
      [...store.nodes.all()].filter((node) => (!type || node.type === type) && node.degree >= minDegree),
    outgoing,
    incoming,
    relations: (id) => inOrder(store.edges.relations(id)),
    relationsUnlessMany(id) {
      const relations = store.edges.relationsUnlessMany(id);
      return relations && inOrder(relations);
    },
    sides: (id) => store.edges.sides(id),
    namesAtSide: (id, { type, direction }, limit = NO_LIMIT) =>
      direction === 'out'
        ? store.edges.targetNames(id, type, limit)
        : store.edges.sourceNames(id, type, limit),
    isAtSide: (id, { type, direction }, otherId) =>
      direction === 'out' ? store.edges.has(id, otherId, type) : store.edges.has(otherId, id, type),
    neighbours(node, { direction = 'both', edgeTypes } = {}) {
      const found = [
        ...(direction === 'in' ? [] : outgoing(node)),
        ...(direction === 'out' ? [] : incoming(node)),
      ];
      return edgeTypes === undefined ? found : found.filter(({ type }) => edgeTypes.includes(type));
    },
    edgesOfType: (type) => store.edges.ofType(type),
    edges: () => store.edges.all(),
    path: (from, to) => shortestPath(adjacency(), from.id, to.id, (id) => store.keys.keyOf(id)),
    subgraph: (center, depth, maxNodes) => subgraph(store, center, depth, maxNodes),
    stats: rememberedByRevision(store, () => graphStats(store)),
    nodeTypes: rememberedByRevision(store, () => withBuiltInNodeTypes(graphCounts(store).nodes.keys())),
    edgeTypes: rememberedByRevision(store, () => withBuiltInEdgeTypes(graphCounts(store).edges.keys())),
    docsAt(path) {
      if (store.documents.get(path) !== undefined) return 'document';
      return store.documents.hasWithin(path) ? 'folder' : undefined;
    },
    sectionsOf: (path) => sectionsOf(store, path),
    sectionsUnlessMany: (path) => sectionsUnlessMany(store, path),
    structuresChangedSince: (revision, limit) => store.outlines.changedSince(revision, limit),
    allSections: () => allSections(store),
  };
}

/** Outgoing and incoming relations in the order of a node's page. Sorts in place. */
export function inOrder(relations: Relation[]): Relations {
  relations.sort(byRank((relation) => relation.display));
  return {
    outgoing: relations.filter(({ direction }) => direction === 'out'),
    incoming: relations.filter(({ direction }) => direction === 'in'),
  };
}

function byRank<Edge extends Pick<TypedEdge, 'type' | 'weight'>>(
  otherEnd: (edge: Edge) => string,
): (a: Edge, b: Edge) => number {
  return (a, b) =>
    compareEdgeTypes(a.type, b.type) || b.weight - a.weight || (otherEnd(a) < otherEnd(b) ? -1 : 1);
}

/** Breadth-first from the center. If the limit is reached, the nearer nodes are kept. */
function subgraph(store: Store, center: StoredNode, depth: number, maxNodes: number): Subgraph {
  const { reached, truncated } = nodesAround(store, center.id, depth, maxNodes);
  const found = new Map(store.nodes.listed(reached).map((node) => [node.id, node]));
  const edges = store.edges.among(reached).sort(byRank((edge) => edge.targetDisplay));
  return { nodes: reached.flatMap((id) => found.get(id) ?? []), edges, truncated };
}

function nodesAround(
  store: Store,
  centerId: number,
  depth: number,
  maxNodes: number,
): { reached: number[]; truncated: boolean } {
  const reached = new Set([centerId]);
  let frontier = [centerId];
  for (let level = 0; level < depth; level += 1) {
    const next: number[] = [];
    for (const from of frontier) {
      for (const id of store.edges.neighbours(from)) {
        if (reached.has(id)) continue;
        if (reached.size >= maxNodes) return { reached: [...reached], truncated: true };
        reached.add(id);
        next.push(id);
      }
    }
    frontier = next;
  }
  return { reached: [...reached], truncated: false };
}

function rememberedByRevision<Answer>(store: Store, ask: () => Answer): () => Answer {
  let known: { readonly revision: number; readonly answer: Answer } | undefined;
  return () => {
    const revision = store.revision();
    if (known?.revision !== revision) known = { revision, answer: ask() };
    return known.answer;
  };
}

/** Caches the node that was found last while the store is held still: a name is looked up, shown, and opened. */
function findingByName(store: Store) {
  let last:
    | { readonly moment: number; readonly name: string; readonly node: FoundNode | undefined }
    | undefined;
  return {
    found(name: string): FoundNode | undefined {
      const moment = store.moment();
      if (moment === undefined) return store.nodes.found(name);
      if (last?.moment !== moment || last.name !== name) {
        last = { moment, name, node: store.nodes.found(name) };
      }
      return last.node;
    },
    lastFound: () => (last !== undefined && last.moment === store.moment() ? last.node : undefined),
  };
}

function shownOf(node: FoundNode): ShownNode {
  const { id, display, type, description, weight, confidence } = node;
  const [sources, properties] = [JSON.parse(node.sources), JSON.parse(node.properties)];
  return { id, display, type, description, weight, confidence, sources, properties };
}

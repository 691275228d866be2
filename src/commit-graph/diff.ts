import { isDeepStrictEqual } from 'node:util';
import type { GraphHistory, PastEdge, PastNode } from '../store/graph-history.ts';
import { PastGraph } from './past-graph.ts';

/** A node that only one of two graphs has. */
export interface NodeEntry {
  readonly node: string;
  readonly type: string;
}

/** An edge that only one of two graphs has. */
export interface EdgeEntry {
  readonly source: string;
  readonly edge_type: string;
  readonly target: string;
}

/** Fields that have changed, by the names that pages use. */
type Fields = Readonly<Record<string, { readonly from: unknown; readonly to: unknown }>>;

export interface Differences<Entry> {
  readonly gained: readonly Entry[];
  readonly lost: readonly Entry[];
  readonly changed: readonly (Entry & { readonly fields: Fields })[];
}

/** How a graph has changed. Nodes are in the order of their names, edges in that of source, type and target. */
export interface GraphDiff {
  readonly nodes: Differences<NodeEntry>;
  readonly edges: Differences<EdgeEntry>;
}

/** The changes of the graph from one revision to another. Either may be the later one. */
export function diffRevisions(history: GraphHistory, from: number, to: number): GraphDiff {
  const before = new PastGraph(history, from);
  const after = new PastGraph(history, to);
  const range = [Math.min(from, to), Math.max(from, to)] as const;
  const nodes = history
    .changedNodes(...range)
    .map((id) => ({ before: before.nodeById(id), after: after.nodeById(id) }));
  const edges = history
    .changedEdges(...range)
    .map((id) => ({ before: before.edge(id), after: after.edge(id) }));
  return {
    nodes: differences(nodes, (node) => ({ node: node.display, type: node.type }), nodeFields, nameOfNode),
    edges: differences(
      edges,
      (edge, when) => edgeEntry(edge, when === 'before' ? before : after),
      edgeFields,
      nameOfEdge,
    ),
  };
}

/** How many nodes and edges were gained, lost and changed. */
export interface DiffCounts {
  readonly nodes: Counts;
  readonly edges: Counts;
}

interface Counts {
  readonly gained: number;
  readonly lost: number;
  readonly changed: number;
}

export function countsOf({ nodes, edges }: GraphDiff): DiffCounts {
  const count = ({ gained, lost, changed }: Differences<unknown>) => {
    return { gained: gained.length, lost: lost.length, changed: changed.length };
  };
  return { nodes: count(nodes), edges: count(edges) };
}

function differences<Thing, Entry extends object>(
  pairs: readonly { readonly before: Thing | undefined; readonly after: Thing | undefined }[],
  entryOf: (thing: Thing, when: 'before' | 'after') => Entry,
  fieldsOf: (thing: Thing) => Readonly<Record<string, unknown>>,
  nameOf: (entry: Entry) => string,
): Differences<Entry> {
  const gained: Entry[] = [];
  const lost: Entry[] = [];
  const changed: (Entry & { fields: Fields })[] = [];
  for (const { before, after } of pairs) {
    if (before === undefined && after !== undefined) gained.push(entryOf(after, 'after'));
    else if (before !== undefined && after === undefined) lost.push(entryOf(before, 'before'));
    else if (before !== undefined && after !== undefined) {
      const fields = changedFields(fieldsOf(before), fieldsOf(after));
      if (Object.keys(fields).length > 0) changed.push({ ...entryOf(after, 'after'), fields });
    }
  }
  const inOrder = <Named extends Entry>(entries: Named[]) =>
    entries.sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : Number(nameOf(a) > nameOf(b))));
  return { gained: inOrder(gained), lost: inOrder(lost), changed: inOrder(changed) };
}

function changedFields(before: Readonly<Record<string, unknown>>, after: typeof before): Fields {
  const names = Object.keys(after).filter((name) => !isDeepStrictEqual(before[name], after[name]));
  return Object.fromEntries(names.map((name) => [name, { from: before[name], to: after[name] }]));
}

function nodeFields({ display, type, description, weight, confidence, sources, properties }: PastNode) {
  return {
    entity: display,
    type,
    description,
    weight,
    confidence,
    sources: JSON.parse(sources),
    properties: JSON.parse(properties),
  };
}

function edgeFields({ weight, confidence, description, evidence }: PastEdge) {
  return { weight, confidence, description, evidence: JSON.parse(evidence) };
}

function edgeEntry({ sourceId, targetId, type }: PastEdge, graph: PastGraph): EdgeEntry {
  const nameOf = (id: number) => graph.nodeById(id)?.display ?? '';
  return { source: nameOf(sourceId), edge_type: type, target: nameOf(targetId) };
}

function nameOfNode({ node, type }: NodeEntry): string {
  return `${node}\0${type}`;
}

function nameOfEdge({ source, edge_type, target }: EdgeEntry): string {
  return `${source}\0${edge_type}\0${target}`;
}

import { UserError } from '../core/errors.ts';
import type { NodeType } from '../core/graph-model.ts';
import type { StoredNode } from '../store/nodes.ts';
import { either } from '../text/either.ts';
import type { NameMatch } from './lookup.ts';
import { nodeMarkdown } from './markdown.ts';
import type { GraphQueries } from './queries.ts';
import { type EdgeView, edgeView, nodeView, type PathView, pathView } from './view.ts';

/** The question forms of Kgraph, under the names that they have there. Each takes names as a person writes them. */
export interface Questions {
  /** The direct relations of a concept, most specific first. @throws UserError for an unknown name */
  related_concepts(name: string): RelatedConcept[];
  /** How two concepts are connected; undefined if they are not. @throws UserError for an unknown name */
  find_connection(from: string, to: string): PathView | undefined;
  /** Everything that is known about a concept, as markdown. @throws UserError for an unknown name */
  explain_node(name: string): string;
  /** The labels of all nodes of a type. @throws UserError for an unknown type */
  concepts_by_type(type: string): string[];
  /** Nodes with a name similar to the text, best first. @param limit default 20 */
  search_graph(text: string, limit?: number): NameMatch[];
  /**
   * The nodes and edges around a concept, up to 500 nodes.
   * @param depth how many edges away a node may be. Default 2
   * @throws UserError for an unknown name
   */
  subgraph_context(name: string, depth?: number): SubgraphView;
}

export interface RelatedConcept {
  readonly node: string;
  readonly edge_type: string;
  readonly direction: 'out' | 'in';
  readonly evidence: readonly string[];
}

export interface SubgraphView {
  readonly center: string;
  readonly depth: number;
  readonly nodes: readonly { readonly node: string; readonly type: string }[];
  readonly edges: readonly EdgeView[];
  /** Whether there is more within the depth than is shown. */
  readonly truncated: boolean;
}

const MAX_SUBGRAPH_NODES = 500;
const DEFAULT_LIMIT = 20;
const DEFAULT_DEPTH = 2;

export function graphQuestions(graph: GraphQueries): Questions {
  const known = (name: string) => requireNode(graph, name);
  return {
    related_concepts: (name) => related(graph, known(name)),
    find_connection(from, to) {
      const path = graph.path(known(from), known(to));
      return path && pathView(graph, path);
    },
    explain_node: (name) => nodeMarkdown(nodeView(graph, known(name))),
    concepts_by_type: (type) => graph.nodes({ type: requireType(graph, type) }).map(({ display }) => display),
    search_graph: (text, limit = DEFAULT_LIMIT) => graph.similar(text, limit),
    subgraph_context(name, depth = DEFAULT_DEPTH) {
      const center = known(name);
      const { nodes, edges, truncated } = graph.subgraph(center, depth, MAX_SUBGRAPH_NODES);
      return {
        center: center.display,
        depth,
        nodes: nodes.map(({ display, type }) => ({ node: display, type })),
        edges: edges.map(edgeView),
        truncated,
      };
    },
  };
}

function related(graph: GraphQueries, node: StoredNode): RelatedConcept[] {
  return graph.neighbours(node).map((edge) => {
    const isOutgoing = edge.sourceId === node.id;
    return {
      node: isOutgoing ? edge.targetDisplay : edge.sourceDisplay,
      edge_type: edge.type,
      direction: isOutgoing ? 'out' : 'in',
      evidence: edge.evidence,
    };
  });
}

/**
 * The node with a name. If there is none, the error suggests similar names.
 * @param whereNames says how the caller can see all names
 * @throws UserError
 */
export function requireNode(
  graph: GraphQueries,
  name: string,
  whereNames = '"kgraphfs nodes" shows names',
): StoredNode {
  const node = graph.node(name);
  if (node !== undefined) return node;
  if (name.trim() === '') throw new UserError(`the name of the node is empty; ${whereNames}`);
  const near = graph.similar(name, 3).map((match) => `"${match.name}"`);
  throw new UserError(
    `there is no node "${name}"; ${near.length > 0 ? `did you mean ${either(near)}?` : whereNames}`,
  );
}

/** The node type with this name, in any case, from those in the graph and the built-in ones. @throws UserError */
export function requireType(graph: Pick<GraphQueries, 'nodeTypes'>, text: string): NodeType {
  const types = graph.nodeTypes();
  const type = types.find((one) => one.toLowerCase() === text.toLowerCase());
  if (type === undefined)
    throw new UserError(`there is no node type "${text}"; the types are ${types.join(', ')}`);
  return type;
}

import type { EdgeType, NodeType } from '../core/graph-model.ts';
import type { GraphQueries } from './queries.ts';

/** The whole graph in the node-link form of NetworkX (`node_link_data`): links name nodes by id. */
export interface NodeLinkData {
  readonly directed: true;
  readonly multigraph: true;
  readonly graph: Readonly<Record<string, unknown>>;
  readonly nodes: readonly {
    readonly id: string;
    readonly label: string;
    readonly type: NodeType;
    readonly description: string;
    readonly weight: number;
    readonly confidence: number;
    readonly sources: readonly string[];
    readonly properties: Readonly<Record<string, string>>;
  }[];
  readonly links: readonly {
    readonly source: string;
    readonly target: string;
    readonly edge_type: EdgeType;
    readonly description: string;
    readonly weight: number;
    readonly confidence: number;
    readonly evidence: readonly string[];
  }[];
}

/** Nodes by name, links by the names of their ends: the same graph always gives the same data. */
export function nodeLinkData(graph: GraphQueries): NodeLinkData {
  return {
    directed: true,
    multigraph: true,
    graph: { revision: graph.revision() },
    nodes: graph
      .nodes()
      .map(({ key, display, type, description, weight, confidence, sources, properties }) => {
        return {
          id: key,
          label: display,
          type,
          description,
          weight,
          confidence,
          sources: [...sources],
          properties,
        };
      }),
    links: Array.from(
      graph.edges(),
      ({ source, target, type, description, weight, confidence, evidence }) => {
        return { source, target, edge_type: type, description, weight, confidence, evidence: [...evidence] };
      },
    ),
  };
}

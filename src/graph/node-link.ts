import { type EdgeType, EXTRACTED_BY, type NodeType } from '../core/graph-model.ts';
import { documentKey } from '../core/identity.ts';
import type { GraphQueries } from './queries.ts';
import type { DocumentSections, SectionRelation } from './sections.ts';

/** The whole graph in the node-link form of NetworkX (`node_link_data`): links name nodes by id. */
export interface NodeLinkData {
  readonly directed: true;
  readonly multigraph: true;
  readonly graph: Readonly<Record<string, unknown>>;
  readonly nodes: readonly {
    readonly id: string;
    readonly label: string;
    readonly type: NodeType | 'Section';
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
    /** The model that has found it, if no rule has. */
    readonly extracted_by?: string | undefined;
  }[];
}

type Nodes = NodeLinkData['nodes'];
type Links = NodeLinkData['links'];

/**
 * Nodes by name, links by the names of their ends. The same graph always gives the same data.
 * @param withSections whether sections of documents are nodes, too, after the others
 */
export function nodeLinkData(graph: GraphQueries, withSections = false): NodeLinkData {
  const sections = withSections ? Array.from(graph.allSections(), sectionData) : [];
  return {
    directed: true,
    multigraph: true,
    graph: { revision: graph.revision() },
    nodes: [...nodesOf(graph), ...sections.flatMap(({ nodes }) => nodes)],
    links: [...linksOf(graph), ...sections.flatMap(({ links }) => links)],
  };
}

function nodesOf(graph: GraphQueries): Nodes {
  return graph.nodes().map(({ key, display, type, description, weight, confidence, sources, properties }) => {
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
  });
}

function linksOf(graph: GraphQueries): Links {
  return Array.from(graph.edges(), ({ type, evidence, properties, ...edge }) => {
    const { source, target, description, weight, confidence } = edge;
    const extracted_by = properties[EXTRACTED_BY];
    return {
      source,
      target,
      edge_type: type,
      description,
      weight,
      confidence,
      evidence: [...evidence],
      ...(extracted_by === undefined ? {} : { extracted_by }),
    };
  });
}

/** Each relation is listed with the section that it starts from; if it starts from a document, with the section that it leads to. */
function sectionData({ path, sections }: DocumentSections): { nodes: Nodes; links: Links } {
  const linkOf = (
    source: string,
    target: string,
    { type, weight, confidence, evidence }: SectionRelation,
  ) => {
    return { source, target, edge_type: type, description: '', weight, confidence, evidence: [...evidence] };
  };
  return {
    nodes: sections.map(({ id, title, level, anchor, line, endLine }) => ({
      id: sectionKey(id),
      label: id,
      type: 'Section',
      description: title,
      weight: 1,
      confidence: 1,
      sources: [`${path}:${line}`],
      properties: { level: String(level), anchor, start_line: String(line), end_line: String(endLine) },
    })),
    links: sections.flatMap(({ id, outgoing, incoming }) => [
      ...outgoing.map((relation) => linkOf(sectionKey(id), endOf(relation), relation)),
      ...incoming
        .filter(({ isDocument }) => isDocument)
        .map((relation) => linkOf(endOf(relation), sectionKey(id), relation)),
    ]),
  };
}

function endOf({ id, isDocument }: SectionRelation): string {
  return isDocument ? documentKey(id) : sectionKey(id);
}

function sectionKey(id: string): string {
  return `section:${id}`;
}

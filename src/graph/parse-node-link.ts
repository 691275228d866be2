import { MultiDirectedGraph } from 'graphology';
import { z } from 'zod';
import { EXIT, reasonOf, UserError } from '../core/errors.ts';
import { type EdgeType, isEdgeType, isNodeType, type NodeType } from '../core/graph-model.ts';
import { parsedJson } from '../core/json-file.ts';
import type { NodeLinkData } from './node-link.ts';

function isTypeOfNode(type: unknown): boolean {
  return typeof type === 'string' && (type === 'Section' || isNodeType(type));
}

const nodeSchema = z.object({
  id: z.string().min(1),
  label: z.string(),
  type: z.custom<NodeType | 'Section'>(isTypeOfNode, 'no type of a node'),
  description: z.string(),
  weight: z.number().nonnegative(),
  confidence: z.number().min(0).max(1),
  sources: z.array(z.string()),
  properties: z.record(z.string(), z.string()),
});

const linkSchema = z.object({
  source: z.string(),
  target: z.string(),
  edge_type: z.custom<EdgeType>((type) => typeof type === 'string' && isEdgeType(type), 'no type of an edge'),
  description: z.string(),
  weight: z.number().nonnegative(),
  confidence: z.number().min(0).max(1),
  evidence: z.array(z.string()),
  extracted_by: z.string().optional(),
});

const nodeLinkSchema = z.object({
  directed: z.literal(true),
  multigraph: z.literal(true),
  graph: z.record(z.string(), z.unknown()),
  nodes: z.array(nodeSchema),
  links: z.array(linkSchema),
});

/** Reads a graph back from its export. @throws UserError that names the first field that is wrong */
export function parseNodeLink(text: string, file: string): NodeLinkData {
  const value = parsedJson(text, file, EXIT.failed);
  const result = nodeLinkSchema.safeParse(value);
  if (result.success) {
    requireWhole(result.data, file);
    return result.data;
  }
  const [issue] = result.error.issues;
  throw new UserError(`${file}: not a graph in node-link form: ${issue?.path.join('.')}: ${issue?.message}`);
}

/** graphology refuses data that is not a graph: two nodes with one id, or a link to a node that does not exist. @throws UserError */
function requireWhole({ nodes, links }: NodeLinkData, file: string): void {
  const graph = new MultiDirectedGraph({ allowSelfLoops: false });
  try {
    for (const { id } of nodes) graph.addNode(id);
    for (const { source, target } of links) graph.addEdge(source, target);
  } catch (error) {
    throw new UserError(`${file}: the graph does not hold together: ${reasonOf(error)}`, EXIT.failed, {
      cause: error,
    });
  }
}

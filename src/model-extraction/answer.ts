import { z } from 'zod';
import { type EdgeType, isEdgeType, isNodeType, type NodeType } from '../core/graph-model.ts';
import { type MapTypes, NO_MAP_TYPES } from './map-types.ts';

/** Types that a model may give to what it finds, besides those of a schema map. Documents are files, and are found without a model. */
export const ANSWERED_NODE_TYPES = ['APIObject', 'Endpoint', 'Event', 'Concept'] as const;
export type AnsweredNodeType = (typeof ANSWERED_NODE_TYPES)[number];

/** Relations that a model is asked for, besides those of a schema map. */
export const ANSWERED_EDGE_TYPES = [
  'requires',
  'returns',
  'triggers',
  'generates',
  'belongs_to',
  'depends_on',
  'contains',
  'references',
] as const;
export type AnsweredEdgeType = (typeof ANSWERED_EDGE_TYPES)[number];

const evidence = {
  line: z.int().describe('number of the line that says it'),
  quote: z.string().describe('words of that line, copied exactly'),
};

const nodeFields = {
  name: z.string().describe('as the document writes it, such as Charge, POST /v1/charges, charge.succeeded'),
  ...evidence,
};

const edgeFields = {
  source: z.string().describe('name of a node: who requires, returns, triggers …'),
  target: z.string().describe('name of a node: what is required, returned, triggered …'),
  ...evidence,
};

interface Quoted {
  readonly line: number;
  readonly quote: string;
}

/** What a model says about one piece of a document. */
export interface Answer {
  readonly nodes: readonly (Quoted & { readonly name: string; readonly type: NodeType })[];
  readonly edges: readonly (Quoted & {
    readonly source: string;
    readonly type: EdgeType;
    readonly target: string;
  })[];
  /** How many entries were not facts: without a name, or of an unknown type. */
  readonly unreadable: number;
}

/** The JSON schema of an answer for `response_format`: everything is required, and nothing else is allowed. */
export function answerJsonSchema({
  nodes,
  edges,
}: MapTypes = NO_MAP_TYPES): Readonly<Record<string, unknown>> {
  const { name, ...ofNode } = nodeFields;
  const { source, ...ofEdge } = edgeFields;
  const nodeType = z.enum([...ANSWERED_NODE_TYPES, ...nodes.map(({ type }) => type)]);
  const edgeType = z.enum([...ANSWERED_EDGE_TYPES, ...edges.map(({ type }) => type)]);
  return z.toJSONSchema(
    z.object({
      nodes: z.array(z.object({ name, type: nodeType, ...ofNode })),
      edges: z.array(z.object({ source, type: edgeType, ...ofEdge })),
    }),
  );
}

/** The variants that models write: a number as text, or other words for the same field. */
const loose = { line: z.coerce.number().int().catch(0), quote: z.string().catch('') };

function looseNode({ nodes }: MapTypes) {
  const types = new Set<string>([...ANSWERED_NODE_TYPES, ...nodes.map(({ type }) => type)]);
  const type = z.custom<NodeType>((one) => typeof one === 'string' && types.has(one) && isNodeType(one));
  return z
    .looseObject({})
    .transform((one) => ({ name: one['label'] ?? one['id'], quote: one['evidence'], ...one }))
    .pipe(z.object({ ...nodeFields, type, ...loose }));
}

function looseEdge({ edges }: MapTypes) {
  const types = new Set<string>([...ANSWERED_EDGE_TYPES, ...edges.map(({ type }) => type)]);
  const type = z.custom<EdgeType>((one) => typeof one === 'string' && types.has(one) && isEdgeType(one));
  return z
    .looseObject({})
    .transform((one) => ({
      source: one['from'],
      target: one['to'],
      type: one['edge_type'] ?? one['relation'],
      quote: one['evidence'],
      ...one,
    }))
    .pipe(z.object({ ...edgeFields, type, ...loose }));
}

/** An answer may name its lists differently, and lack one of them. */
const looseAnswer = z
  .union([
    z.looseObject({ nodes: z.array(z.unknown()) }),
    z.looseObject({ edges: z.array(z.unknown()) }),
    z.looseObject({ entities: z.array(z.unknown()) }),
    z.looseObject({ relationships: z.array(z.unknown()) }),
  ])
  .transform((one): { nodes: unknown[]; edges: unknown[] } => ({
    nodes: listOf(one['nodes'] ?? one['entities']),
    edges: listOf(one['edges'] ?? one['relationships']),
  }));

/** The facts of an answer without entries that are not facts; undefined if it is not an answer at all. */
export function answerOf(value: unknown, types: MapTypes = NO_MAP_TYPES): Answer | undefined {
  const { data } = looseAnswer.safeParse(value);
  if (data === undefined) return undefined;
  const [ofNode, ofEdge] = [looseNode(types), looseEdge(types)];
  const nodes = data.nodes.flatMap((one) => ofNode.safeParse(one).data ?? []);
  const edges = data.edges.flatMap((one) => ofEdge.safeParse(one).data ?? []);
  const unreadable = data.nodes.length - nodes.length + (data.edges.length - edges.length);
  return { nodes, edges, unreadable };
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

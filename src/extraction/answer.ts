import { z } from 'zod';

/** Types that a model may give to what it finds: documents are files, and found without it. */
export const ANSWERED_NODE_TYPES = ['APIObject', 'Endpoint', 'Event', 'Concept'] as const;
export type AnsweredNodeType = (typeof ANSWERED_NODE_TYPES)[number];

/** Relations that a model is asked for. */
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

const nodeSchema = z.object({
  name: z.string().describe('as the document writes it, such as Charge, POST /v1/charges, charge.succeeded'),
  type: z.enum(ANSWERED_NODE_TYPES),
  ...evidence,
});

const edgeSchema = z.object({
  source: z.string().describe('name of a node: who requires, returns, triggers …'),
  type: z.enum(ANSWERED_EDGE_TYPES),
  target: z.string().describe('name of a node: what is required, returned, triggered …'),
  ...evidence,
});

/** What a model says of one piece of a document. */
export interface Answer {
  readonly nodes: readonly z.infer<typeof nodeSchema>[];
  readonly edges: readonly z.infer<typeof edgeSchema>[];
  /** Entries that were no facts: without a name, of a type that there is not. */
  readonly unreadable: number;
}

/** JSON schema of an answer, as `response_format` takes it: all is required, and nothing else is allowed. */
export const ANSWER_JSON_SCHEMA: Readonly<Record<string, unknown>> = z.toJSONSchema(
  z.object({ nodes: z.array(nodeSchema), edges: z.array(edgeSchema) }),
);

/** As models write it: a number as text, words for the same field. */
const lineSchema = z.coerce.number().int().catch(0);
const quoteSchema = z.string().catch('');
const looseNode = z
  .looseObject({})
  .transform((one) => ({ name: one['label'] ?? one['id'], quote: one['evidence'], ...one }))
  .pipe(nodeSchema.extend({ line: lineSchema, quote: quoteSchema }));
const looseEdge = z
  .looseObject({})
  .transform((one) => ({
    source: one['from'],
    target: one['to'],
    type: one['edge_type'] ?? one['relation'],
    quote: one['evidence'],
    ...one,
  }))
  .pipe(edgeSchema.extend({ line: lineSchema, quote: quoteSchema }));

/** An answer may name its lists otherwise, and have one of them only. */
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

/** The facts of an answer, those that are none left out; undefined where it is no answer at all. */
export function answerOf(value: unknown): Answer | undefined {
  const { data } = looseAnswer.safeParse(value);
  if (data === undefined) return undefined;
  const nodes = data.nodes.flatMap((one) => looseNode.safeParse(one).data ?? []);
  const edges = data.edges.flatMap((one) => looseEdge.safeParse(one).data ?? []);
  const unreadable = data.nodes.length - nodes.length + (data.edges.length - edges.length);
  return { nodes, edges, unreadable };
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

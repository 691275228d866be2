import { z } from 'zod';
import { hasTooManyGlobstars, MAX_GLOBSTARS } from '../core/globstars.ts';
import { type EdgeType, isEdgeType, isNodeType, type NodeType } from '../core/graph-model.ts';
import { patternFault } from '../core/pattern-fault.ts';

const nodeType = z.custom<NodeType>(
  (value) => typeof value === 'string' && isNodeType(value),
  'a node type is a capital letter, then letters or digits, such as "Epic", and not a word that the tree uses for something else',
);
const edgeType = z.custom<EdgeType>(
  (value) => typeof value === 'string' && isEdgeType(value),
  'an edge type is lower-case letters, digits and "_", such as "verified_by", and not a word that the tree uses for something else',
);

const pattern = z
  .string()
  .min(1)
  .max(500)
  .refine((text) => !/[\n\r\0]/.test(text) && !text.split('/').includes('..'), 'a path inside the docs root')
  .refine((text) => !hasTooManyGlobstars(text), `at most ${MAX_GLOBSTARS} of **`)
  .refine((text) => patternFault(text) === undefined, { error: ({ input }) => patternFault(String(input)) });
const paths = z.union([pattern.transform((one) => [one]), z.array(pattern).min(1).max(100)]).optional();

/** Each `*` multiplies the ways to match a heading by the length of the heading. */
const MAX_STARS = 2;
const name = z.string().trim().min(1).max(200);
const heading = name.refine(
  (text) => (text.match(/\*/g)?.length ?? 0) <= MAX_STARS && !text.includes('**'),
  'a heading has at most two of *',
);
/** A name such as `__proto__` would be lost on the way. */
const property = z.string().regex(/^[A-Za-z][\w -]{0,60}$/, 'a property is a word, such as "status"');
const reverse = z.boolean().optional();
const MAX_RULES = 500;

/**
 * The format of a schema map, `kgraphfs.schema.yaml`. It can shape the graph and nothing else, so a stranger's map is safe. Every key may be absent. An unknown
 * key is an error, since it most likely is a typing mistake.
 */
export const mapFormat = z.strictObject({
  version: z.literal(1).optional(),
  /** The node of a document at these paths has this type. */
  documents: z
    .array(z.strictObject({ paths, type: nodeType }))
    .max(MAX_RULES)
    .optional(),
  frontMatter: z
    .array(
      z
        .strictObject({
          key: name,
          types: z.record(z.string().max(200), nodeType).optional(),
          property: property.optional(),
          edge: edgeType.optional(),
          reverse,
          paths,
        })
        .refine((rule) => rule.types ?? rule.property ?? rule.edge, 'a rule has types, property or edge'),
    )
    .max(MAX_RULES)
    .optional(),
  headings: z
    .array(
      z
        .strictObject({
          heading,
          level: z.int().min(1).max(6).optional(),
          type: nodeType.optional(),
          edge: edgeType.optional(),
          reverse,
          items: nodeType.optional(),
          property: property.optional(),
          paths,
        })
        .refine(
          (rule) => rule.type ?? rule.edge ?? rule.items ?? rule.property,
          'a rule has type, edge, items or property',
        ),
    )
    .max(MAX_RULES)
    .optional(),
  phrases: z
    .array(
      z.strictObject({
        phrase: name.regex(/^[\p{L}\p{N}'’ -]+$/u, 'a phrase is words'),
        edge: edgeType,
        reverse,
        paths,
      }),
    )
    .max(MAX_RULES)
    .optional(),
});

export type SchemaMap = z.infer<typeof mapFormat>;

import { z } from 'zod';
import { hasTooManyGlobstars, MAX_GLOBSTARS } from '../core/globstars.ts';
import { MAX_BUDGET_TOKENS, MAX_HALF_LIFE_DAYS, TOKENIZERS } from '../settings/context.ts';
import { LINT_RULE_NAMES } from '../settings/lint.ts';
import { embeddingsSchema } from './embeddings-schema.ts';
import { llmSchema } from './llm-schema.ts';
import { modulesSchema } from './modules-schema.ts';

/** The ways to talk to the kernel that `--driver` may name. */
export const DRIVER_NAMES = ['linux', 'fuse-native'] as const;
export type DriverName = (typeof DRIVER_NAMES)[number];

const rootSchema = z.union([
  z.string().min(1),
  z.strictObject({ name: z.string().min(1), path: z.string().min(1) }),
]);

/** As a line of `.gitignore`, with `{a,b}` for either. */
const patternSchema = z
  .string()
  .max(1000)
  .refine((pattern) => pattern.trim() !== '' && !/[\n\r\0]/.test(pattern), 'a pattern is one line of text')
  .refine(
    (pattern) => !pattern.split('/').includes('..'),
    'a pattern is relative to a docs root; ".." leads out of it',
  )
  .refine((pattern) => !hasTooManyGlobstars(pattern), `a pattern has at most ${MAX_GLOBSTARS} of **`);

const patternsSchema = z
  .array(patternSchema, { error: 'a list of patterns, such as ["**/*.md", "specs/**"]' })
  .max(1000)
  .optional();

const searchWeight = z.number().min(0).max(100).optional();

/**
 * `kgraphfs.config.json`. Every key may be absent; an unknown one is an error, since it is most likely a typing
 * mistake. Paths are relative to the file's own folder. A flag of the command line wins over the file.
 *
 * The file may be a stranger's, come with a repository: so it cannot let other users in, and cannot have anything
 * written outside its own folder. Those are asked for on the command line.
 */
export const configSchema = z.strictObject({
  /**
   * The docs root, or several: each a folder, or a folder with the name that it has in `docs/` of the mount (default: that of the folder).
   * Default: `docs` if there is such a folder, else the current folder.
   */
  docs: z
    .union([rootSchema, z.array(rootSchema).min(1)], {
      error: 'a folder, or a list in which each is a folder or {"name": "…", "path": "…"}',
    })
    .optional(),
  /** What of the docs roots is shown and read. Default: all. */
  include: patternsSchema,
  /** What of it is not; this wins. */
  exclude: patternsSchema,
  /** The state folder, inside the folder of this file. Default: `.kgraphfs` beside the first docs root. */
  state: z.string().min(1).optional(),
  index: z
    .strictObject({
      /** Larger documents are shown but not read into the graph. Default 8 MiB. */
      maxDocumentBytes: z.int().positive().optional(),
    })
    .optional(),
  memory: z
    .strictObject({
      /** Default 16 MiB. */
      maxEntryBytes: z.int().positive().optional(),
      /** How long a removed entry can be restored. Default 30. */
      removedDays: z.number().min(1).optional(),
    })
    .optional(),
  scratchpad: z
    .strictObject({
      /** What a session may keep there. Default 1 GiB. */
      maxBytes: z.int().positive().optional(),
      /** How long that of an ended session is kept. Default 7. */
      keepDays: z.number().min(1).optional(),
    })
    .optional(),
  history: z
    .strictObject({
      /** Default 90. */
      keepDays: z.number().min(1).optional(),
      /** Default 256 MiB. */
      maxBytes: z
        .int()
        .min(1024 * 1024)
        .optional(),
    })
    .optional(),
  context: z
    .strictObject({
      /** How many tokens a context has at most, unless who asks says otherwise. Default 8,000. */
      budgetTokens: z.int().min(1).max(MAX_BUDGET_TOKENS).optional(),
      /** What is so old counts half as fresh. Default 180. */
      halfLifeDays: z.number().positive().max(MAX_HALF_LIFE_DAYS).optional(),
      /** How far what comes from there is trusted, from 0 to 1. Default: docs 0.8, memory 0.6. */
      trust: z
        .strictObject({
          docs: z.number().min(0).max(1).optional(),
          memory: z.number().min(0).max(1).optional(),
        })
        .optional(),
      /** Whose tokens are counted. Default o200k_base. */
      tokenizer: z.enum(TOKENIZERS).optional(),
      /** The part of a model's window that a conversation may fill before its older turns go to memory. Default 0.5. */
      conversationShare: z.number().gt(0).max(1).optional(),
    })
    .optional(),
  search: z
    .strictObject({
      /** Followed only where the user trusts this file (`kgraphfs trust`): it sends texts out. Default: what the user's own config says. */
      embeddings: embeddingsSchema.optional(),
      /** Of reciprocal rank fusion: the greater, the less the first ranks stand out. Default 60. */
      k: z.number().positive().max(10_000).optional(),
      /** How much each retriever counts; with 0 it is not asked. Default: keyword 1, graph 3, vector 1, recency 1. */
      weights: z
        .strictObject({
          keyword: searchWeight,
          graph: searchWeight,
          vector: searchWeight,
          recency: searchWeight,
        })
        // Time only puts in order what the others found.
        .refine(({ keyword, graph, vector }) => keyword !== 0 || graph !== 0 || vector !== 0, {
          message: 'keyword, graph and vector cannot all be 0: nothing would look for anything',
        })
        .optional(),
    })
    .optional(),
  /** The language model. Followed only where the user trusts this file, as embeddings are. Default: what the user's own config says. */
  llm: llmSchema.optional(),
  /** What is mounted at `modules/<name>/`. What runs code, starts a program or sends something out only where the user trusts this file. */
  modules: modulesSchema.optional(),
  learn: z
    .strictObject({
      /** Has what was confirmed and rejected of edges move how sure the rules are that read them. Default false, as measured. */
      rules: z.boolean().optional(),
      /** Has ways through the graph that are walked again and again proposed in review. Default true. */
      paths: z.boolean().optional(),
    })
    .optional(),
  lint: z
    .strictObject({
      /** How grave the findings of a rule are, or that it is off. */
      rules: z.partialRecord(z.enum(LINT_RULE_NAMES), z.enum(['off', 'warning', 'error'])).optional(),
      /** Where the docs root lies on the site, such as `/docs/`: links that begin with a slash are from there. Default: found out from the links. */
      siteRoot: z.string().startsWith('/', 'it begins with a slash, such as "/docs/"').max(500).optional(),
      /** Documents that are not looked at. */
      ignore: patternsSchema,
    })
    .optional(),
  /** The schema map: a file inside the folder of this one, or "spec-driven". Default: `kgraphfs.schema.yaml`, `.yml` or `.json` there or in the first docs root. */
  schemaMap: z.string().min(1).optional(),
  /** A folder with templates of `kgraphfs new`, inside the folder of this file. */
  templates: z.string().min(1).optional(),
  mount: z
    .strictObject({
      /** Default: the first that works here. */
      driver: z.enum(DRIVER_NAMES).optional(),
      /** Refuses every change of the tree. Default false. */
      readOnly: z.boolean().optional(),
    })
    .optional(),
});

export type Config = z.infer<typeof configSchema>;

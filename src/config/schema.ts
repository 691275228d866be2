import { z } from 'zod';
import { hasTooManyGlobstars, MAX_GLOBSTARS } from '../core/globstars.ts';
import { patternFault } from '../core/pattern-fault.ts';
import { MAX_BUDGET_TOKENS, MAX_HALF_LIFE_DAYS, TOKENIZERS } from '../settings/context.ts';
import { MAX_KEPT_DAYS } from '../settings/limits.ts';
import { LINT_RULE_NAMES } from '../settings/lint.ts';
import { pathSchema } from './checked-text.ts';
import { embeddingsSchema } from './embeddings-schema.ts';
import { llmSchema } from './llm-schema.ts';
import { modulesSchema } from './modules-schema.ts';
import { isRootName, noRootName } from './root-name.ts';

/** The names of drivers that `--driver` accepts. */
export const DRIVER_NAMES = ['linux', 'fuse-native'] as const;
export type DriverName = (typeof DRIVER_NAMES)[number];

const rootName = z
  .string()
  .min(1)
  .refine(isRootName, { error: ({ input }) => noRootName(String(input)) });
const rootSchema = z.union([pathSchema, z.strictObject({ name: rootName, path: pathSchema })]);

/** A pattern like a line of `.gitignore`, with `{a,b}` for alternatives. */
const patternSchema = z
  .string()
  .max(1000)
  .refine((pattern) => pattern.trim() !== '' && !/[\n\r\0]/.test(pattern), 'a pattern is one line of text')
  .refine(
    (pattern) => !pattern.split('/').includes('..'),
    'a pattern is relative to a docs root; ".." leads out of it',
  )
  .refine((pattern) => !hasTooManyGlobstars(pattern), `a pattern has at most ${MAX_GLOBSTARS} of **`)
  .refine((pattern) => patternFault(pattern) === undefined, {
    error: ({ input }) => patternFault(String(input)),
  });

const patternsSchema = z
  .array(patternSchema, { error: 'a list of patterns, such as ["**/*.md", "specs/**"]' })
  .max(1000)
  .optional();

const keptDays = z.number().min(1).max(MAX_KEPT_DAYS).optional();
const searchWeight = z.number().min(0).max(100).optional();

/**
 * `kgraphfs.config.json`. Every key may be absent. An unknown key is an error, since it is most likely a typing mistake. Paths are relative to the
 * folder of the file. Flags on the command line take precedence over the file.
 * The file may be a stranger's that came with a repository. So it cannot let other users in, and cannot have anything written outside its own folder.
 * These have to be asked for on the command line.
 */
export const configSchema = z.strictObject({
  /**
   * The docs root, or several. Each is a folder, or a folder with its name in `docs/` of the mount (default: the name of the folder). Default: `docs`
   * if it is a folder, else the current folder.
   */
  docs: z
    .union([rootSchema, z.array(rootSchema).min(1)], {
      error: 'a folder, or a list in which each is a folder or {"name": "…", "path": "…"}',
    })
    .optional(),
  /** What is shown and read of the docs roots. Default: everything. */
  include: patternsSchema,
  /** What is left out of it. This takes precedence. */
  exclude: patternsSchema,
  /** The state folder, inside the folder of this file. Default: `.kgraphfs` beside the first docs root. */
  state: pathSchema.optional(),
  index: z
    .strictObject({
      /** Larger documents are shown but not read into the graph. Default 8 MiB. */
      maxDocumentBytes: z.int().positive().optional(),
    })
    .optional(),
  memory: z
    .strictObject({
      /** The maximal size of an entry. Default 16 MiB. */
      maxEntryBytes: z.int().positive().optional(),
      /** For how many days a removed entry can be restored. Default 30. */
      removedDays: keptDays,
    })
    .optional(),
  scratchpad: z
    .strictObject({
      /** How much a session may store. Default 1 GiB. */
      maxBytes: z.int().positive().optional(),
      /** For how many days the files of an ended session are kept. Default 7. */
      keepDays: keptDays,
    })
    .optional(),
  history: z
    .strictObject({
      /** For how many days it is kept. Default 90. */
      keepDays: keptDays,
      /** How large all files of it may become. Default 256 MiB. */
      maxBytes: z
        .int()
        .min(1024 * 1024)
        .optional(),
    })
    .optional(),
  context: z
    .strictObject({
      /** The maximal number of tokens of a context, unless the caller says otherwise. Default 8,000. */
      budgetTokens: z.int().min(1).max(MAX_BUDGET_TOKENS).optional(),
      /** The age in days at which freshness has halved. Default 180. */
      halfLifeDays: z.number().positive().max(MAX_HALF_LIFE_DAYS).optional(),
      /** How far each origin is trusted, from 0 to 1. Default: docs 0.8, memory 0.6. */
      trust: z
        .strictObject({
          docs: z.number().min(0).max(1).optional(),
          memory: z.number().min(0).max(1).optional(),
        })
        .optional(),
      /** The encoding that tokens are counted in. Default o200k_base. */
      tokenizer: z.enum(TOKENIZERS).optional(),
      /** The share of a model's window that a conversation may fill before its older turns go to memory. Default 0.5. */
      conversationShare: z.number().gt(0).max(1).optional(),
    })
    .optional(),
  search: z
    .strictObject({
      /** Only followed if the user trusts this file (`kgraphfs trust`), since texts are sent out. Default: what the user's own config says. */
      embeddings: embeddingsSchema.optional(),
      /** The constant of reciprocal rank fusion: the greater it is, the less the first ranks stand out. Default 60. */
      k: z.number().positive().max(10_000).optional(),
      /** The weight of each retriever. One with 0 is not asked. Default: keyword 1, graph 3, vector 1, recency 1. */
      weights: z
        .strictObject({
          keyword: searchWeight,
          graph: searchWeight,
          vector: searchWeight,
          recency: searchWeight,
        })
        // Recency only sorts what the others have found.
        .refine(({ keyword, graph, vector }) => keyword !== 0 || graph !== 0 || vector !== 0, {
          message: 'keyword, graph and vector cannot all be 0: nothing would look for anything',
        })
        .optional(),
    })
    .optional(),
  /** The language model. Only followed if the user trusts this file, as for embeddings. Default: what the user's own config says. */
  llm: llmSchema.optional(),
  /** What is mounted at `modules/<name>/`. A module that runs code, starts a program or sends something out needs the user's trust in this file. */
  modules: modulesSchema.optional(),
  learn: z
    .strictObject({
      /** Whether confirmed and rejected edges change the confidence of the rules that have read them. Default false, due to measurements. */
      rules: z.boolean().optional(),
      /** Whether paths through the graph that are walked again and again are proposed in review. Default true. */
      paths: z.boolean().optional(),
    })
    .optional(),
  lint: z
    .strictObject({
      /** The severity of the findings of each rule, or `off`. */
      rules: z.partialRecord(z.enum(LINT_RULE_NAMES), z.enum(['off', 'warning', 'error'])).optional(),
      /** Where the docs root is on the site, such as `/docs/`: links that begin with a slash start from there. Default: found out from the links. */
      siteRoot: z.string().startsWith('/', 'it begins with a slash, such as "/docs/"').max(500).optional(),
      /** Documents that are not checked. */
      ignore: patternsSchema,
    })
    .optional(),
  /**
   * The schema map: a file inside the folder of this one, or "spec-driven". Default: `kgraphfs.schema.yaml`, `.yml` or `.json` there or in the first
   * docs root.
   */
  schemaMap: pathSchema.optional(),
  /** A folder with templates for `kgraphfs new`, inside the folder of this file. */
  templates: pathSchema.optional(),
  mount: z
    .strictObject({
      /** The driver. Default: the first that works here. */
      driver: z.enum(DRIVER_NAMES).optional(),
      /** Whether every change of the tree is refused. Default false. */
      readOnly: z.boolean().optional(),
    })
    .optional(),
});

export type Config = z.infer<typeof configSchema>;

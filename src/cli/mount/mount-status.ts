import { z } from 'zod';

/** A line of `.kgraphfs/errors.jsonl`. */
export const errorLineSchema = z.looseObject({
  path: z.string(),
  line: z.number().optional(),
  message: z.string(),
});

/**
 * What a daemon reports of itself: `StatusView` of any version. All fields that a newer version adds are kept, and names of
 * states and drivers may be new ones.
 */
export const mountStatusSchema = z.looseObject({
  state: z.string(),
  pid: z.int().positive(),
  version: z.string(),
  driver: z.string().nullable(),
  mountpoint: z.string().nullable(),
  /** The path of the docs root, or all roots if there are several. */
  docs: z.union([z.string(), z.array(z.object({ name: z.string(), path: z.string() }))]),
  state_dir: z.string(),
  started_at: z.string(),
  revision: z.number(),
  documents: z.number(),
  nodes: z.number(),
  edges: z.number(),
  /** Missing from a daemon of an older version. */
  sections: z.number().default(0),
  memories: z.number(),
  indexing: z.looseObject({
    done: z.number(),
    total: z.number(),
    pending: z.number().optional(),
    lag_ms: z.number(),
    last_indexed_at: z.string().nullish(),
  }),
  watcher: z.looseObject({
    alive: z.boolean(),
    mode: z.string().optional(),
    last_event_at: z.string().nullable(),
    reason: z.string().nullish(),
  }),
  /** Missing from a daemon of an older version. */
  schema_map: z.looseObject({ file: z.string(), rules: z.number(), error: z.string().nullable() }).nullish(),
  /** Missing from a daemon of an older version. */
  search: z
    .looseObject({
      sources: z.number().optional(),
      passages: z.number().optional(),
      embeddings: z
        .looseObject({
          model: z.string(),
          done: z.number(),
          total: z.number(),
          failures: z.number(),
          last_error: z.string().nullable(),
        })
        .nullish(),
    })
    .default({}),
  /** Missing from a daemon of an older version. */
  modules: z
    .array(
      z.looseObject({
        name: z.string(),
        module: z.string().nullable(),
        state: z.string(),
        error: z.string().nullable(),
      }),
    )
    .readonly()
    .default([]),
  errors: z.number(),
  /** The last lines of `.kgraphfs/errors.jsonl`. A mounted daemon shows them in that file. */
  last_errors: z.array(errorLineSchema).optional(),
});

export type MountStatus = z.infer<typeof mountStatusSchema>;

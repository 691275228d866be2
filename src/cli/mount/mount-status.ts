import { z } from 'zod';

/** A line of `.kgraphfs/errors.jsonl`. */
export const errorLineSchema = z.looseObject({
  path: z.string(),
  line: z.number().optional(),
  message: z.string(),
});

/**
 * What a daemon says of itself: `StatusView` of any version. Of what a newer one adds everything is kept, and names of
 * states and drivers are not held against a list.
 */
export const mountStatusSchema = z.looseObject({
  state: z.string(),
  pid: z.int().positive(),
  version: z.string(),
  driver: z.string().nullable(),
  mountpoint: z.string().nullable(),
  /** The docs root, or all where there are several. */
  docs: z.union([z.string(), z.array(z.object({ name: z.string(), path: z.string() }))]),
  state_dir: z.string(),
  started_at: z.string(),
  revision: z.number(),
  documents: z.number(),
  nodes: z.number(),
  edges: z.number(),
  /** A daemon of an older version does not tell. */
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
  /** A daemon of an older version does not tell. */
  schema_map: z.looseObject({ file: z.string(), rules: z.number(), error: z.string().nullable() }).nullish(),
  /** A daemon of an older version does not tell. */
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
  /** A daemon of an older version does not tell. */
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
  /** The last lines of `.kgraphfs/errors.jsonl`. A daemon that is mounted shows them there. */
  last_errors: z.array(errorLineSchema).optional(),
});

export type MountStatus = z.infer<typeof mountStatusSchema>;

import { z } from 'zod';

/**
 * What a daemon says of itself: `StatusView` of any version. Of what a newer one adds everything is kept, and names of
 * states and drivers are not held against a list.
 */
export const mountStatusSchema = z.looseObject({
  state: z.string(),
  pid: z.int().positive(),
  version: z.string(),
  driver: z.string(),
  mountpoint: z.string(),
  docs: z.string(),
  state_dir: z.string(),
  started_at: z.string(),
  revision: z.number(),
  documents: z.number(),
  nodes: z.number(),
  edges: z.number(),
  memories: z.number(),
  indexing: z.looseObject({ done: z.number(), total: z.number(), lag_ms: z.number() }),
  watcher: z.looseObject({
    alive: z.boolean(),
    mode: z.string().optional(),
    last_event_at: z.string().nullable(),
    reason: z.string().nullish(),
  }),
  errors: z.number(),
});

export type MountStatus = z.infer<typeof mountStatusSchema>;

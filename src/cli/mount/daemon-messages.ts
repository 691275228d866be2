import { z } from 'zod';
import { DRIVER_NAMES } from '../../config/schema.ts';
import { mountStatusSchema } from './mount-status.ts';

const daemonPlanSchema = z.object({
  /** Absolute paths. */
  flags: z.object({
    docs: z.array(z.object({ name: z.string(), path: z.string(), base: z.string().optional() })),
    state: z.string(),
    config: z.string().optional(),
  }),
  /** Absent for a daemon without a mount. */
  mountpoint: z.string().optional(),
  /** Absent for the first driver that works. */
  driver: z.enum(DRIVER_NAMES).optional(),
  allowOther: z.boolean(),
  audit: z.boolean(),
  readOnly: z.boolean(),
  /** The session to continue; absent for a new one. */
  session: z.string().optional(),
  /** Absent if search uses no embeddings. */
  embeddings: z
    .object({
      model: z.string(),
      baseUrl: z.string(),
      dimensions: z.number().optional(),
      batchSize: z.number(),
      memory: z.boolean(),
      textPrefix: z.string().optional(),
      questionPrefix: z.string().optional(),
      questionTimeoutMs: z.number(),
    })
    .optional(),
});

/** The first message that a daemon gets: what to run, and how. */
export type DaemonPlan = z.infer<typeof daemonPlanSchema>;

/** Checks a plan. @throws Error for a value that is no plan */
export function parseDaemonPlan(value: unknown): DaemonPlan {
  return daemonPlanSchema.parse(value);
}

const daemonMessageSchema = z.discriminatedUnion('type', [
  /** The tree is mounted, or the daemon runs without a mount. */
  z.object({ type: z.literal('up'), status: mountStatusSchema }),
  z.object({ type: z.literal('progress'), status: mountStatusSchema }),
  /** The first index is complete. If it could not be made, `failure` is the reason, and the daemon runs all the same. */
  z.object({ type: z.literal('ready'), status: mountStatusSchema, failure: z.string().optional() }),
  /** The daemon ends since it could not mount, or could not run. `isLogged` means that it has written the same to its log, with a stack. */
  z.object({ type: z.literal('failed'), message: z.string(), isLogged: z.boolean() }),
]);

/** What a daemon tells the command that started it, over the channel of `child_process`. */
export type DaemonMessage = z.infer<typeof daemonMessageSchema>;

/** Checks a message; undefined for a value that is no message of ours. */
export function parseDaemonMessage(value: unknown): DaemonMessage | undefined {
  return daemonMessageSchema.safeParse(value).data;
}

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
  /** Absent for the first that works. */
  driver: z.enum(DRIVER_NAMES).optional(),
  allowOther: z.boolean(),
  audit: z.boolean(),
  readOnly: z.boolean(),
  /** The session to go on with; absent for a new one. */
  session: z.string().optional(),
  /** Absent for none. */
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

/** What a daemon is started with, as its first message. */
export type DaemonPlan = z.infer<typeof daemonPlanSchema>;

/** @throws Error for what is no plan */
export function parseDaemonPlan(value: unknown): DaemonPlan {
  return daemonPlanSchema.parse(value);
}

const daemonMessageSchema = z.discriminatedUnion('type', [
  /** The tree is there, or the daemon runs without one. */
  z.object({ type: z.literal('up'), status: mountStatusSchema }),
  z.object({ type: z.literal('progress'), status: mountStatusSchema }),
  /** The first index is complete, or could not be made: then with the reason all the same up. */
  z.object({ type: z.literal('ready'), status: mountStatusSchema, failure: z.string().optional() }),
  /** The daemon ends: there is no mount, or there cannot be a daemon. `isLogged`: it has written the same to its log, with a stack. */
  z.object({ type: z.literal('failed'), message: z.string(), isLogged: z.boolean() }),
]);

/** What a daemon tells the command that started it, over the channel of `child_process`. */
export type DaemonMessage = z.infer<typeof daemonMessageSchema>;

/** Undefined for what is no message of ours. */
export function parseDaemonMessage(value: unknown): DaemonMessage | undefined {
  return daemonMessageSchema.safeParse(value).data;
}

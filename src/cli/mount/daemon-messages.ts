import { z } from 'zod';
import { mountStatusSchema } from './mount-status.ts';

const daemonMessageSchema = z.discriminatedUnion('type', [
  /** The tree is there. */
  z.object({ type: z.literal('mounted'), status: mountStatusSchema }),
  z.object({ type: z.literal('progress'), status: mountStatusSchema }),
  /** The first index is complete, or could not be made: then with the reason. The tree is there either way. */
  z.object({ type: z.literal('ready'), status: mountStatusSchema, failure: z.string().optional() }),
  /** There is no mount, and the daemon ends. */
  z.object({ type: z.literal('failed'), message: z.string() }),
]);

/** What a daemon tells the command that started it, over the channel of `child_process`. */
export type DaemonMessage = z.infer<typeof daemonMessageSchema>;

/** Undefined for what is no message of ours. */
export function parseDaemonMessage(value: unknown): DaemonMessage | undefined {
  return daemonMessageSchema.safeParse(value).data;
}

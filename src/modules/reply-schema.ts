import { z } from 'zod';
import type { ModuleReply, SeenPlace } from './wire.ts';

const timeSchema = z.number().nonnegative().optional();

const placeSchema: z.ZodType<SeenPlace> = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('file'),
    sizeBytes: z.int().nonnegative(),
    version: z.string(),
    modifiedMs: timeSchema,
    isWritable: z.boolean(),
    bytes: z.instanceof(Uint8Array).optional(),
  }),
  z.object({
    kind: z.literal('directory'),
    modifiedMs: timeSchema,
    entries: z.array(z.object({ name: z.string(), kind: z.enum(['file', 'directory', 'link']) })),
  }),
  z.object({ kind: z.literal('link'), modifiedMs: timeSchema, target: z.string() }),
]);

const idSchema = z.int().nonnegative();

/** Checks what comes from the process of a module, where any code can write to the descriptor of its messages. */
export const replySchema: z.ZodType<ModuleReply> = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready'), staysUp: z.boolean() }),
  z.object({
    type: z.literal('unusable'),
    faults: z.array(z.object({ path: z.array(z.union([z.string(), z.number()])), message: z.string() })),
    reason: z.string(),
  }),
  z.object({ type: z.literal('answer'), id: idSchema, place: placeSchema.optional() }),
  z.object({ type: z.literal('failure'), id: idSchema, code: z.string().optional(), reason: z.string() }),
  z.object({ type: z.literal('changed'), paths: z.array(z.string()) }),
  z.object({ type: z.literal('note'), message: z.string() }),
  z.object({ type: z.literal('started'), pid: z.number() }),
  z.object({ type: z.literal('crashed'), reason: z.string() }),
  z.object({ type: z.literal('pong') }),
]);

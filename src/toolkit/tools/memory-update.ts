import { z } from 'zod';
import { changeEntry } from '../memory-writes.ts';
import { defineTool } from '../tool.ts';

export const METADATA = {
  confidence: z.number().min(0).max(1).optional().describe('how sure it is'),
  tags: z.array(z.string().min(1).max(200)).max(50).optional(),
  source_paths: z
    .array(z.string().min(1).max(4095))
    .max(100)
    .optional()
    .describe('documents that it stands on, with a line: charges/create.md:31'),
};

export const ENTRY = z
  .string()
  .min(1)
  .max(4095)
  .describe('a memory: type and key, such as fact/refunds, or its path in the tree');

export const memoryUpdate = defineTool({
  name: 'memory_update',
  description:
    'Changes a memory: its content, how sure it is, its tags, the documents it stands on. What is left out stays.',
  effect: 'changes',
  parameters: z.strictObject({ entry: ENTRY, content: z.string().max(1_000_000).optional(), ...METADATA }),
  run: ({ entry, content, ...metadata }, box, context) => changeEntry(entry, content, metadata, box, context),
});

import { z } from 'zod';
import { placeText } from '../../core/memory-entry.ts';
import { entryNamed, requireOwn } from '../memory-writes.ts';
import { defineTool } from '../tool.ts';
import { ENTRY } from './memory-update.ts';

export const memoryForget = defineTool({
  name: 'memory_forget',
  description:
    'Removes a memory. It can be brought back for some days with "kgraphfs context memory restore".',
  effect: 'changes',
  parameters: z.strictObject({ entry: ENTRY }),
  run({ entry: name }, box, context) {
    return box.memory.transact(() => {
      const entry = entryNamed(name, box);
      requireOwn(entry, box, context);
      box.memory.remove(entry, context);
      return { fields: { removed: placeText(entry) } };
    });
  },
});

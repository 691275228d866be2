import { z } from 'zod';
import { FsError } from '../../core/errors.ts';
import { MEMORY_RELATIONS, placeText } from '../../core/memory-entry.ts';
import { entryNamed, requireOwn } from '../memory-writes.ts';
import { defineTool } from '../tool.ts';
import { ENTRY } from './memory-update.ts';

export const memoryRelate = defineTool({
  name: 'memory_relate',
  description:
    'Says how a memory that you wrote is related to another one. One that another supersedes is no longer found by search.',
  effect: 'adds',
  parameters: z.strictObject({
    from: ENTRY,
    relation: z.enum(MEMORY_RELATIONS),
    to: ENTRY,
    weight: z.number().gt(0).max(1).default(1).describe('strength'),
  }),
  run({ from, relation, to, weight }, box, context) {
    return box.memory.transact(() => {
      const [source, target] = [entryNamed(from, box), entryNamed(to, box)];
      if (relation === 'supersedes' && !box.writesCountAtOnce) {
        throw new FsError(
          'EACCES',
          placeText(source),
          'what supersedes another memory takes it out of search, which only a person may decide; use "contradicts"',
        );
      }
      requireOwn(source, box, context);
      box.memory.relate(source, relation, target, weight, context);
      return { fields: { from: placeText(source), relation, to: placeText(target), weight } };
    });
  },
});

import { placeText } from '../../core/memory-entry.ts';
import { printableName } from '../../text/printable.ts';
import { callerContext } from '../caller.ts';
import { defineCommand } from '../command.ts';
import { writeJson } from '../io.ts';
import { withMemory } from '../memory.ts';
import { bareName } from '../named-entry.ts';

export const contextMemoryRestore = defineCommand({
  verb: 'context memory restore',
  summary: 'bring back what was removed',
  details: 'context memory list --removed shows what can be brought back.',
  positionals: {
    entry: { summary: 'such as fact/refunds, or only refunds for the last entry of that name' },
  },
  options: {},
  example: 'kgraphfs context memory restore refunds --docs docs/sample',
  run: (args, io) =>
    withMemory(args, io, async ({ memory }) => {
      const { entryView } = await import('../text/memory-entry.ts');
      const entry = memory.restore(bareName(args.entry), callerContext(io));
      if (args.json) writeJson(io.out, entryView(entry));
      else io.out.write(`restored ${printableName(placeText(entry))}\n`);
      return 0;
    }),
});

import { placeText } from '../../core/memory-entry.ts';
import { printableName } from '../../text/printable.ts';
import { shownShellWord } from '../../text/shell-word.ts';
import { callerContext } from '../caller.ts';
import { defineCommand } from '../command.ts';
import { writeJson } from '../io.ts';
import { withMemory } from '../memory.ts';
import { namedEntry } from '../named-entry.ts';

export const contextMemoryRemove = defineCommand({
  verb: 'context memory remove',
  summary: 'forget an entry, as rm does in the mount',
  details: 'The entry can be brought back for memory.removedDays of the config, 30 by default.',
  positionals: {
    entry: { summary: 'such as fact/refunds, or only refunds if no other entry has that name' },
  },
  options: {},
  example: 'kgraphfs context memory remove refunds --docs docs/sample',
  run: (args, io) =>
    withMemory(args, io, async ({ memory }) => {
      const removed = memory.transact(() => {
        const entry = namedEntry(memory, args.entry);
        memory.remove(entry, callerContext(io));
        return placeText(entry);
      });
      if (args.json) writeJson(io.out, { removed });
      else
        io.out.write(
          `removed ${printableName(removed)}; kgraphfs context memory restore ${shownShellWord(removed)} brings it back\n`,
        );
      return 0;
    }),
});

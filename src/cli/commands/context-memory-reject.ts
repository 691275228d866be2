import { placeText } from '../../core/memory-entry.ts';
import { printableName } from '../../text/printable.ts';
import { shownShellWord } from '../../text/shell-word.ts';
import { callerContext } from '../caller.ts';
import { defineCommand } from '../command.ts';
import { writeJson } from '../io.ts';
import { withMemory } from '../memory.ts';
import { waitingEntry } from '../named-entry.ts';

export const contextMemoryReject = defineCommand({
  verb: 'context memory reject',
  summary: 'reject an entry that waits for review, as rm in context/review does in the mount',
  details:
    'The entry is removed. It can be brought back as after context memory remove, and then waits for review again.',
  positionals: {
    entry: { summary: 'such as fact/refunds, or only refunds if no other entry has that name' },
  },
  options: {},
  example: 'kgraphfs context memory reject refunds --docs docs/sample',
  run: (args, io) =>
    withMemory(args, io, async ({ memory }) => {
      const rejected = memory.transact(() => {
        const entry = waitingEntry(memory, args.entry);
        memory.reject(entry, callerContext(io));
        return placeText(entry);
      });
      if (args.json) writeJson(io.out, { rejected });
      else
        io.out.write(
          `rejected ${printableName(rejected)}; kgraphfs context memory restore ${shownShellWord(rejected)} brings it back\n`,
        );
      return 0;
    }),
});

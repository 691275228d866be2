import { placeText } from '../../core/memory-entry.ts';
import { printableName } from '../../text/printable.ts';
import { callerContext } from '../caller.ts';
import { defineCommand } from '../command.ts';
import { writeJson } from '../io.ts';
import { withMemory } from '../memory.ts';
import { requirePlace, waitingEntry } from '../named-entry.ts';

const VERB = 'context memory accept';

export const contextMemoryAccept = defineCommand({
  verb: VERB,
  summary: 'accept an entry that waits for review, as mv out of context/review does in the mount',
  details:
    'The name of the person who accepted the entry, and the time, are kept with it. context memory list --tag needs_review shows what\n' +
    'waits.\n' +
    'With a place, the entry is moved there, such as an episodic entry that is a fact. It never replaces another entry.',
  positionals: {
    entry: { summary: 'such as fact/refunds, or only refunds if no other entry has that name' },
    place: { summary: 'where it belongs, such as fact/refunds (default: where it is)', count: 'optional' },
  },
  options: {},
  example: 'kgraphfs context memory accept refunds --docs docs/sample',
  run: (args, io) => {
    const place = args.place === undefined ? undefined : requirePlace(args.place, VERB);
    return withMemory(args, io, async ({ memory }) => {
      const { entryView } = await import('../text/memory-entry.ts');
      const { from, accepted } = memory.transact(() => {
        const waiting = waitingEntry(memory, args.entry);
        const accepted = memory.accept(waiting, place ?? waiting, callerContext(io));
        return { from: printableName(placeText(waiting)), accepted };
      });
      const name = printableName(placeText(accepted));
      if (args.json) writeJson(io.out, entryView(accepted));
      else io.out.write(from === name ? `accepted ${name}\n` : `accepted ${from} as ${name}\n`);
      return 0;
    });
  },
});

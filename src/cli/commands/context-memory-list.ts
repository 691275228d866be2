import { defineCommand } from '../command.ts';
import { writeJson } from '../io.ts';
import { withMemory } from '../memory.ts';
import { requireMemoryType } from '../named-entry.ts';

/** The short verb. Its help names the other commands of memory, since a word that is no type may be meant as one of them. */
const SHORT = 'context memory';

export const contextMemoryList = defineCommand({
  verb: 'context memory list',
  short: SHORT,
  summary: 'the entries of memory, with their metadata (short: context memory)',
  details:
    'Of each content the table has the beginning of its first line, at most 200 characters.\n' +
    '--json prints an array of all entries with their contents; it is empty if nothing is remembered.',
  positionals: { type: { summary: 'fact, episodic or procedural', count: 'optional' } },
  options: {
    tag: { type: 'text', value: 'TAG', summary: 'only entries with this tag' },
    removed: { type: 'boolean', summary: 'removed entries that can be restored, instead of existing ones' },
    limit: { type: 'count', value: 'N', min: 1, summary: 'at most N entries' },
  },
  example: 'kgraphfs context memory list --json --docs docs/sample',
  run: (args, io) => {
    const filter = {
      ...(args.type === undefined ? {} : { type: requireMemoryType(args.type, SHORT) }),
      ...(args.tag === undefined ? {} : { tag: args.tag }),
      removed: args.removed ?? false,
    };
    return withMemory(args, io, async ({ memory }) => {
      const { entryView, writeEntryTable } = await import('../text/memory-entry.ts');
      const entries = memory.list(filter).slice(0, args.limit);
      if (args.json) writeJson(io.out, entries.map(entryView));
      else if (entries.length > 0) writeEntryTable(io.out, entries);
      else io.err.write('no entries\n');
      return 0;
    });
  },
});

import { defineCommand } from '../command.ts';
import { writeJson } from '../io.ts';
import { namedEntry } from '../named-entry.ts';
import { withProject } from '../project.ts';

export const contextMemoryShow = defineCommand({
  verb: 'context memory show',
  summary: 'an entry with its metadata and where it came from (vfs read gives the bytes alone)',
  positionals: { entry: { summary: 'such as fact/refunds, or refunds alone where only one is called so' } },
  options: {},
  example: 'kgraphfs context memory show refunds --docs docs/sample',
  run: (args, io) =>
    withProject(args, io, async ({ memory }) => {
      const { entryView, relationViews, writeEntryPage } = await import('../text/memory-entry.ts');
      const entry = namedEntry(memory, args.entry);
      const relations = relationViews(entry, memory.links());
      if (args.json) writeJson(io.out, { ...entryView(entry), relations });
      else writeEntryPage(io.out, entry, relations);
      return 0;
    }),
});

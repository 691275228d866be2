import { defineCommand } from '../command.ts';
import { writeJson } from '../io.ts';
import { withMemory } from '../memory.ts';
import { namedEntry } from '../named-entry.ts';

export const contextMemoryShow = defineCommand({
  verb: 'context memory show',
  summary: 'an entry with its metadata and origin (vfs read prints only the bytes)',
  details:
    'With --json, the contents that were replaced are printed, too, the latest first, until gc forgets them.',
  positionals: {
    entry: { summary: 'such as fact/refunds, or only refunds if no other entry has that name' },
  },
  options: {},
  example: 'kgraphfs context memory show refunds --docs docs/sample',
  run: (args, io) =>
    withMemory(args, io, async ({ memory }) => {
      const { entryView, relationViews, versionView, writeEntryPage } = await import(
        '../text/memory-entry.ts'
      );
      const entry = namedEntry(memory, args.entry);
      const relations = relationViews(entry, memory.links());
      const versions = memory.versions(entry);
      if (args.json)
        writeJson(io.out, { ...entryView(entry), relations, versions: versions.map(versionView) });
      else writeEntryPage(io.out, entry, relations, versions.length);
      return 0;
    }),
});

import { placeText } from '../../core/memory-entry.ts';
import { counted } from '../../text/counted.ts';
import { printableName } from '../../text/printable.ts';
import { callerContext } from '../caller.ts';
import { defineCommand } from '../command.ts';
import { writeJson } from '../io.ts';
import { withMemory } from '../memory.ts';

export const contextMemoryGc = defineCommand({
  verb: 'context memory gc',
  summary: 'forget for good what was removed long ago, and remove what has expired',
  details:
    'Removed entries can be restored for memory.removedDays of the config, 30 by default; older ones are forgotten for good. Contents\n' +
    'that were replaced, and files that editors left behind, go with them. Entries whose time to live has ended are removed.',
  positionals: {},
  options: { dryRun: { type: 'boolean', summary: 'only say what would be forgotten' } },
  example: 'kgraphfs context memory gc --dry-run --docs docs/sample',
  run: (args, io) =>
    withMemory(args, io, async ({ memory }) => {
      const dryRun = args.dryRun ?? false;
      const { removed, expired, freedBytes } = memory.gc({ dryRun }, callerContext(io));
      if (args.json) {
        writeJson(io.out, {
          dry_run: dryRun,
          removed: removed.map(placeText),
          expired: expired.map(placeText),
          freed_bytes: freedBytes,
        });
        return 0;
      }
      for (const place of removed) io.out.write(`for good   ${printableName(placeText(place))}\n`);
      for (const place of expired) io.out.write(`expired    ${printableName(placeText(place))}\n`);
      const bytes = counted(freedBytes, 'byte');
      io.out.write(
        dryRun
          ? `${removed.length} to forget for good, ${expired.length} expired to remove, ${bytes} to free\n`
          : `${removed.length} forgotten for good, ${expired.length} expired removed, ${bytes} freed\n`,
      );
      return 0;
    }),
});

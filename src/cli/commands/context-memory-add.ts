import { EXIT, isFsError, UserError } from '../../core/errors.ts';
import { placeText } from '../../core/memory-entry.ts';
import { printableName } from '../../text/printable.ts';
import { shownShellWord } from '../../text/shell-word.ts';
import { callerContext } from '../caller.ts';
import { defineCommand } from '../command.ts';
import { FROM_OPTION, givenContent, TEXT_SUMMARY, wholeContent } from '../given-content.ts';
import { writeJson } from '../io.ts';
import { withMemory } from '../memory.ts';
import { METADATA_OPTIONS, saidMetadata } from '../metadata-options.ts';
import { requirePlace } from '../named-entry.ts';

const VERB = 'context memory add';

export const contextMemoryAdd = defineCommand({
  verb: VERB,
  summary: 'create an entry with its metadata; refused if it exists (vfs write replaces)',
  details:
    'The content is the text with a line feed, or a file or standard input byte for byte. Front matter in it counts, too; options take\n' +
    'precedence over it.',
  positionals: {
    entry: { summary: 'type and key of the new entry, such as fact/refunds' },
    text: { summary: TEXT_SUMMARY, count: 'many' },
  },
  options: {
    from: FROM_OPTION,
    ...METADATA_OPTIONS,
    ttl: {
      type: 'text',
      value: 'TIME',
      summary: 'forget it this long after its last change: 30d, 12h, 90m, or seconds',
    },
  },
  example: 'kgraphfs context memory add fact/refunds "Refunds take 5 days" --tags billing --docs docs/sample',
  async run(args, io) {
    const place = requirePlace(args.entry, VERB);
    const metadata = await saidMetadata(args, VERB);
    const context = callerContext(io);
    const given = await givenContent(args, io, VERB);
    return withMemory(args, io, async ({ memory, settings }) => {
      const content = await wholeContent(given, settings.limits.memoryEntryBytes);
      if (content.byteLength === 0 && args.from === undefined) {
        throw new UserError('there is no text to remember: give some, or --from FILE');
      }
      try {
        const entry = memory.add({ ...place, content, ...metadata }, context);
        const { entryView } = await import('../text/memory-entry.ts');
        if (args.json) writeJson(io.out, entryView(entry));
        else io.out.write(`remembered ${printableName(placeText(entry))}\n`);
        return 0;
      } catch (error) {
        if (!isFsError(error, 'EEXIST')) throw error;
        const name = placeText(place);
        throw new UserError(
          `${error.message}\n  kgraphfs context memory edit ${shownShellWord(name)} changes it, kgraphfs vfs write ${shownShellWord(`/context/memory/${name}`)} replaces it`,
          EXIT.failed,
          { cause: error },
        );
      }
    }).finally(() => given.close());
  },
});

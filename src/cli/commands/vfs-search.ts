import { UserError } from '../../core/errors.ts';
import { parsePath } from '../../core/paths.ts';
import { unreadText } from '../../core/unread-sources.ts';
import { printable } from '../../text/printable.ts';
import { defineCommand } from '../command.ts';
import { wordsOrInput } from '../given-question.ts';
import { writeJson } from '../io.ts';
import { withProject } from '../project.ts';
import { provenanceOf } from '../provenance.ts';
import { hitView, writeHits } from '../text/hits.ts';

const VERB = 'vfs search';
const DEFAULT_LIMIT = 10;

export const vfsSearch = defineCommand({
  verb: VERB,
  summary: 'the hits of each resolver, listed separately',
  details:
    'Shows what is behind search, which ranks the answers of all resolvers together: here each mount point has its own list, in the\n' +
    'order and with the scores that its resolver gives. What cannot be read now is named on standard error, and in JSON as "unread".',
  positionals: { query: { summary: 'words to look for; - reads standard input', isFreeText: true } },
  options: {
    limit: {
      type: 'count',
      value: 'N',
      min: 1,
      default: DEFAULT_LIMIT,
      summary: 'at most N hits of each resolver',
    },
  },
  example: 'kgraphfs vfs search invoice --docs docs/sample',
  async run(args, io) {
    const query = await wordsOrInput(args.query, io, VERB);
    const provenance = provenanceOf(VERB, { ...args, query });
    return withProject(args, io, async ({ fs, graph }) => {
      const { limit } = args;
      const unread = new Set<string>();
      const onUnread = (path: string) => unread.add(path);
      const asked = fs.mounts().filter(({ resolver }) => resolver.search !== undefined);
      const answers = await Promise.all(
        asked.map(async ({ point }) => ({
          mount: point,
          hits: await fs.search({ text: query, limit, onUnread }, parsePath(point), {}),
        })),
      );
      const found = answers.filter(({ hits }) => hits.length > 0);
      if (args.json) {
        writeJson(io.out, {
          query,
          answers: answers.map(({ mount, hits }) => ({ mount, hits: hits.map(hitView) })),
          ...(unread.size > 0 ? { unread: [...unread] } : {}),
          ...provenance(graph.revision()),
        });
      } else {
        for (const { mount, hits } of found) {
          io.out.write(`${io.out.style('cyan', mount)}\n`);
          writeHits(io.out, hits);
        }
      }
      if (unread.size > 0) io.err.write(`kgraphfs: ${printable(unreadText([...unread]))}\n`);
      if (found.length > 0) return 0;
      throw new UserError(`nothing found for "${query}"`);
    });
  },
});

import { isoTime } from '../../core/iso-time.ts';
import { defineCommand } from '../command.ts';
import { shortName, withCommits } from '../commits.ts';
import { writeJson } from '../io.ts';
import { writeTable } from '../text/table.ts';

export const graphLog = defineCommand({
  verb: 'graph log',
  summary: 'commits whose graph is recorded, latest first, with its size',
  positionals: {},
  options: {
    limit: { type: 'count', value: 'N', min: 1, default: 50, summary: 'how many at most' },
  },
  example: 'kgraphfs graph log --limit 10 --docs docs/sample',
  run: (args, io) =>
    withCommits(
      args,
      io,
      async (graph) => {
        const commits = graph.log().slice(0, args.limit);
        if (args.json) {
          writeJson(
            io.out,
            commits.map(({ commit, committedMs, subject, revision, documents, nodes, edges }) => {
              const date = isoTime(committedMs);
              return { commit, date, subject, revision, documents, nodes, edges };
            }),
          );
        } else if (commits.length === 0) {
          io.err.write('no commit is recorded yet: kgraphfs sync records the present one\n');
        } else {
          writeTable(io.out, commits, [
            { title: 'commit', value: ({ commit }) => shortName(commit) },
            { title: 'date', value: ({ committedMs }) => dateText(committedMs) },
            { title: 'documents', value: ({ documents }) => documents },
            { title: 'nodes', value: ({ nodes }) => nodes },
            { title: 'edges', value: ({ edges }) => edges },
            { title: 'subject', value: ({ subject }) => subject },
          ]);
        }
        return commits.length === 0 ? 1 : 0;
      },
      'unkept',
    ),
});

/** A time in UTC: `2026-11-21 06:10`. */
function dateText(ms: number): string {
  return isoTime(ms).slice(0, 16).replace('T', ' ');
}

import type { CommitGraph } from '../../commit-graph/commit-graph.ts';
import type { Differences, EdgeEntry, GraphDiff, NodeEntry } from '../../commit-graph/diff.ts';
import { printable } from '../../text/printable.ts';
import { defineCommand } from '../command.ts';
import { shortName, withCommits } from '../commits.ts';
import { type Io, writeJson } from '../io.ts';
import { provenanceOf } from '../provenance.ts';
import { countsText } from './sync.ts';

export const graphDiff = defineCommand({
  verb: 'graph diff',
  summary: 'nodes and edges gained, lost and changed between two commits',
  details:
    'A..B goes from A to B. A...B goes from the commit where the two parted to B. An end that is left out is HEAD, and A alone means\n' +
    'from A to HEAD.\n' +
    'You can use any revision that git understands. A commit that was never synced is read now.',
  positionals: { range: { summary: 'two revisions, such as HEAD~3..HEAD or v1..main', isName: true } },
  options: {},
  example: 'kgraphfs graph diff HEAD..HEAD --docs docs/sample',
  run: (args, io) => {
    const provenance = provenanceOf('graph diff', args);
    const tell = async (graph: CommitGraph): Promise<number> => {
      const { countsOf } = await import('../../commit-graph/diff.ts');
      const { from, to } = graph.range(args.range);
      const diff = graph.diff(from, to);
      if (args.json) writeJson(io.out, { from, to, ...diff, ...provenance(graph.revisionOf(to)) });
      else {
        writeDiff(diff, io);
        io.out.write(`${shortName(from)}..${shortName(to)}: ${countsText(countsOf(diff))}\n`);
      }
      return 0;
    };
    return withCommits(args, io, tell, 'kept-where-possible');
  },
});

function writeDiff({ nodes, edges }: GraphDiff, io: Io): void {
  writePart(nodes, ({ node, type }: NodeEntry) => `${node} (${type})`, io);
  writePart(edges, ({ source, edge_type, target }: EdgeEntry) => `${source} ${edge_type} ${target}`, io);
}

function writePart<Entry>(
  { gained, lost, changed }: Differences<Entry>,
  textOf: (entry: Entry) => string,
  { out }: Io,
): void {
  for (const entry of gained) out.write(`${out.style('green', '+')} ${printable(textOf(entry))}\n`);
  for (const entry of lost) out.write(`${out.style('red', '-')} ${printable(textOf(entry))}\n`);
  for (const entry of changed) {
    const fields = Object.keys(entry.fields).join(', ');
    out.write(`${out.style('yellow', '~')} ${printable(textOf(entry))}: ${fields}\n`);
  }
}

import type { SyncResult } from '../../commit-graph/commit-graph.ts';
import type { DiffCounts } from '../../commit-graph/diff.ts';
import { isoTime } from '../../core/iso-time.ts';
import { counted } from '../../text/counted.ts';
import { printableName } from '../../text/printable.ts';
import { defineCommand } from '../command.ts';
import { shortName, withCommits } from '../commits.ts';
import { type Io, writeJson } from '../io.ts';
import { bringUpToDate, findPlace } from '../project.ts';
import { provenanceOf } from '../provenance.ts';

export const sync = defineCommand({
  verb: 'sync',
  summary: 'bring the graph of commits to HEAD, and the index to the docs',
  details:
    'Records the graph of the commit that is checked out, and of the commits that lead to it from the last one that was synced. graph\n' +
    'log, graph diff and graph/at/ of the mount show them. Looks only at what differs between the two commits, wherever they are:\n' +
    'another branch, a rebase, a reset. Git hooks can do this after each commit: kgraphfs hooks install.',
  positionals: {},
  options: {
    since: {
      type: 'text',
      value: 'REV',
      summary: 'record every commit after this one, and say what changed since',
    },
    dryRun: { type: 'boolean', summary: 'say what would change, and change nothing' },
  },
  example: 'kgraphfs sync --docs docs/sample --dry-run',
  async run(args, io) {
    const provenance = provenanceOf('sync', args);
    const isTry = args.dryRun === true;
    const index = isTry ? undefined : await bringUpToDate(await findPlace(args, io), io);
    const result = await withCommits(
      args,
      io,
      async (graph) => {
        const head = graph.commitOf('HEAD');
        const since = args.since === undefined ? undefined : graph.commitOf(args.since);
        return isTry ? graph.tryOut(head, since) : graph.bringTo(head, since);
      },
      isTry ? 'unkept' : 'kept',
    );
    if (args.json) {
      const { added, changed, removed, revision } = index ?? {};
      writeJson(io.out, {
        ...view(result),
        dry_run: isTry,
        ...(index === undefined ? {} : { index: { added, changed, removed, revision } }),
        ...provenance(index === undefined ? null : index.revision),
      });
    } else writeText(result, isTry, io);
    return 0;
  },
});

function view({ from, commit, recorded, documents, graph }: SyncResult) {
  return {
    from: from ?? null,
    commit: commit.commit,
    date: isoTime(commit.committedMs),
    subject: commit.subject,
    recorded,
    documents,
    nodes: graph.nodes,
    edges: graph.edges,
  };
}

function writeText(
  { from, commit, recorded, documents, graph }: SyncResult,
  isTry: boolean,
  { out }: Io,
): void {
  const { added, changed, removed, renamed } = documents;
  const line = (mark: string, path: string) => out.write(`  ${mark} ${printableName(path)}\n`);
  for (const path of added) line(out.style('green', 'added  '), path);
  for (const path of changed) line(out.style('yellow', 'changed'), path);
  for (const path of removed) line(out.style('red', 'removed'), path);
  for (const { from, to } of renamed) line(out.style('cyan', 'renamed'), `${from} -> ${to}`);
  const range = from === undefined || from === commit.commit ? '' : ` from ${shortName(from)}`;
  out.write(
    `${isTry ? 'would sync' : 'synced'} ${shortName(commit.commit)}${range}: documents ${added.length} added, ` +
      `${changed.length} changed, ${removed.length} removed, ${renamed.length} renamed; ${countsText(graph)}\n`,
  );
  if (recorded.length > 1) out.write(`${counted(recorded.length, 'commit')} recorded\n`);
}

/** Counts of changes in a line: `nodes +3 -1 ~2; edges +5 -0 ~1`. */
export function countsText({ nodes, edges }: DiffCounts): string {
  const text = ({ gained, lost, changed }: DiffCounts['nodes']) => `+${gained} -${lost} ~${changed}`;
  return `nodes ${text(nodes)}; edges ${text(edges)}`;
}

import { defineCommand } from '../command.ts';
import { writeJson } from '../io.ts';
import { withProject } from '../project.ts';
import { writePairs } from '../text/table.ts';

export const stats = defineCommand({
  verb: 'stats',
  summary: 'how large the graph is, by type of node and of edge',
  positionals: {},
  options: {},
  example: 'kgraphfs stats --docs docs/sample',
  run: (args, io) =>
    withProject(args, io, async ({ graph }) => {
      const { statsView } = await import('../../graph/view.ts');
      const view = statsView(graph.stats());
      if (args.json) {
        writeJson(io.out, view);
        return 0;
      }
      const indented = (counts: Readonly<Record<string, number>>) =>
        Object.entries(counts).map(([name, count]) => [`  ${name}`, count] as const);
      writePairs(io.out, [
        ['nodes', view.total_nodes],
        ...indented(view.nodes_by_type),
        ['edges', view.total_edges],
        ...indented(view.edges_by_type),
        ['density', view.density],
        ['revision', view.revision],
        ['built at', view.built_at ?? 'never'],
      ]);
      return 0;
    }),
});

import type { CountsView } from '../../graph/view.ts';
import { defineCommand } from '../command.ts';
import { writeJson } from '../io.ts';
import { withProject } from '../project.ts';
import { provenanceOf } from '../provenance.ts';
import { writePairs } from '../text/table.ts';

export const stats = defineCommand({
  verb: 'stats',
  summary: 'how large the graphs of the docs and of memory are, by type of node and of edge',
  positionals: {},
  options: {},
  example: 'kgraphfs stats --docs docs/sample',
  run: (args, io) => {
    const provenance = provenanceOf('stats', args);
    return withProject(args, io, async ({ graph, workspace }) => {
      const { statsView } = await import('../../graph/view.ts');
      const view = statsView(graph.stats(), workspace.memoryGraph.stats());
      if (args.json) {
        writeJson(io.out, { ...view, ...provenance(view.revision) });
        return 0;
      }
      writePairs(io.out, [
        ...countsOf(view, ''),
        ['sections', view.sections],
        ['density', view.density],
        ['revision', view.revision],
        ['built at', view.built_at ?? 'never'],
        ...(view.memory ? countsOf(view.memory, ' of memory') : []),
      ]);
      return 0;
    });
  },
});

function countsOf(
  { total_nodes, nodes_by_type, total_edges, edges_by_type }: CountsView,
  where: string,
): [string, number][] {
  const indented = (counts: Readonly<Record<string, number>>) =>
    Object.entries(counts).map(([name, count]): [string, number] => [`  ${name}`, count]);
  return [
    [`nodes${where}`, total_nodes],
    ...indented(nodes_by_type),
    [`edges${where}`, total_edges],
    ...indented(edges_by_type),
  ];
}

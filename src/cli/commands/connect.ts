import { UserError } from '../../core/errors.ts';
import { printable } from '../../core/printable.ts';
import type { GraphQueries } from '../../graph/queries.ts';
import type { PathView } from '../../graph/view.ts';
import type { StoredNode } from '../../store/nodes.ts';
import { defineCommand } from '../command.ts';
import { type Io, writeJson } from '../io.ts';
import { withProject } from '../project.ts';
import { evidenceText } from '../text/evidence.ts';

export const connect = defineCommand({
  verb: 'connect',
  summary: 'how two concepts are connected: the shortest path, with the lines that say so',
  details:
    'A path through meaning comes before one through a page that mentions both. Not connected: exit status 1.',
  positionals: {
    from: { summary: 'name of a node' },
    to: { summary: 'name of another' },
  },
  options: {},
  example: 'kgraphfs connect Subscription Charge --docs docs/sample',
  run: (args, io) =>
    withProject(args, io, async ({ graph }) => {
      const [{ requireNode }, { pathView }] = await Promise.all([
        import('../../graph/questions.ts'),
        import('../../graph/view.ts'),
      ]);
      const from = requireNode(graph, args.from);
      const to = requireNode(graph, args.to);
      const steps = graph.path(from, to);
      if (steps === undefined) {
        if (args.json)
          writeJson(io.out, { source: from.display, target: to.display, path_length: null, path: null });
        throw new UserError(`${from.display} and ${to.display} are not connected`);
      }
      const view = withEvidence(
        pathView(graph, steps),
        graph,
        steps.map(({ id }) => graph.nodeById(id)),
      );
      if (args.json) writeJson(io.out, view);
      else draw(io, view);
      return 0;
    }),
});

type Step = PathView['path'][number] & {
  /** Where the edge to the next node is stated; empty at the end. */
  readonly evidence: readonly string[];
};

type Connection = Omit<PathView, 'path'> & { readonly path: readonly Step[] };

function withEvidence(
  view: PathView,
  graph: GraphQueries,
  nodes: readonly (StoredNode | undefined)[],
): Connection {
  const path = view.path.map((step, index) => {
    const [here, next] = [nodes[index], nodes[index + 1]];
    if (here === undefined || next === undefined || step.direction === null) return { ...step, evidence: [] };
    const [source, target] = step.direction === 'out' ? [here, next] : [next, here];
    const edge = graph
      .outgoing(source)
      .find(({ targetId, type }) => targetId === target.id && type === step.edge_to_next);
    return { ...step, evidence: edge?.evidence ?? [] };
  });
  return { ...view, path };
}

function draw({ out }: Io, { path }: Connection): void {
  const drawn = path.map(({ node, edge_to_next, direction }) => {
    const name = out.style('bold', printable(node));
    if (edge_to_next === null) return name;
    return direction === 'out' ? `${name} ─${edge_to_next}→ ` : `${name} ←${edge_to_next}─ `;
  });
  out.write(`${drawn.join('')}\n`);
  const width = Math.max(0, ...statements(path).map(({ text }) => text.length));
  for (const { text, evidence } of statements(path)) {
    out.write(`  ${text.padEnd(width)}  ${out.style('dim', evidenceText(evidence))}\n`);
  }
}

/** Each edge in its own direction, as a sentence. */
function statements(path: readonly Step[]): { text: string; evidence: readonly string[] }[] {
  return path.slice(0, -1).map(({ node, edge_to_next, direction, evidence }, index) => {
    const next = path[index + 1]?.node ?? '';
    const [source, target] = direction === 'out' ? [node, next] : [next, node];
    return { text: printable(`${source} ${edge_to_next} ${target}`), evidence };
  });
}

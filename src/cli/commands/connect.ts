import { COMPILED_PROVENANCE, type RememberedWay, waysBetween } from '../../core/compiled-path.ts';
import { UserError } from '../../core/errors.ts';
import type { Connection } from '../../graph/connection.ts';
import { printableName } from '../../text/printable.ts';
import { defineCommand } from '../command.ts';
import { type Io, writeJson } from '../io.ts';
import { withProject } from '../project.ts';
import { provenanceOf } from '../provenance.ts';
import { evidenceText } from '../text/evidence.ts';

export const connect = defineCommand({
  verb: 'connect',
  summary: 'how two concepts are connected: the shortest path, with the lines that state it',
  details:
    'A path through relations of meaning comes before one through a page that mentions both. Ways from one to the other that people\n' +
    'accepted are shown, too. If there is no connection, the exit status is 1.',
  positionals: {
    from: { summary: 'name of a node' },
    to: { summary: 'name of another node' },
  },
  options: {},
  example: 'kgraphfs connect Subscription Charge --docs docs/sample',
  run: (args, io) => {
    const provenance = provenanceOf('connect', args);
    return withProject(args, io, async ({ graph, memory }) => {
      const [{ requireNode }, { connectionOf }] = await Promise.all([
        import('../../graph/questions.ts'),
        import('../../graph/connection.ts'),
      ]);
      const from = requireNode(graph, args.from);
      const to = requireNode(graph, args.to);
      const connection = connectionOf(graph, from, to);
      const ways = waysBetween(memory.list({ kind: COMPILED_PROVENANCE.kind }), from.display, to.display);
      const remembered = ways.length === 0 ? {} : { leads_to: ways };
      if (connection === undefined) {
        const none = { source: from.display, target: to.display, path_length: null, path: null };
        if (args.json) writeJson(io.out, { ...none, ...remembered, ...provenance(graph.revision()) });
        throw new UserError(`${from.display} and ${to.display} are not connected`);
      }
      if (args.json) writeJson(io.out, { ...connection, ...remembered, ...provenance(graph.revision()) });
      else {
        await draw(io, connection);
        writeWays(io, from.display, to.display, ways);
      }
      return 0;
    });
  },
});

function writeWays({ out }: Io, from: string, to: string, ways: readonly RememberedWay[]): void {
  for (const { via, entry } of ways) {
    const text = `${printableName(from)} leads to ${printableName(to)} via ${via.map(printableName).join(', ')}`;
    out.write(`${text}  ${out.style('dim', `remembered: ${printableName(entry)}`)}\n`);
  }
}

async function draw({ out }: Io, { path }: Connection): Promise<void> {
  const { statementsOf } = await import('../../graph/connection.ts');
  const drawn = path.map(({ node, edge_to_next, direction }) => {
    const name = out.style('bold', printableName(node));
    if (edge_to_next === null) return name;
    return direction === 'out' ? `${name} ─${edge_to_next}→ ` : `${name} ←${edge_to_next}─ `;
  });
  out.write(`${drawn.join('')}\n`);
  const statements = statementsOf(path).map(({ source, edgeType, target, evidence }) => ({
    text: `${printableName(source)} ${edgeType} ${printableName(target)}`,
    evidence,
  }));
  const width = Math.max(0, ...statements.map(({ text }) => text.length));
  for (const { text, evidence } of statements) {
    out.write(`  ${text.padEnd(width)}  ${out.style('dim', evidenceText(evidence))}\n`);
  }
}

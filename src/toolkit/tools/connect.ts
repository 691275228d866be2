import { z } from 'zod';
import { COMPILED_PROVENANCE, waysBetween } from '../../core/compiled-path.ts';
import { connectionOf } from '../../graph/connection.ts';
import { nodeNamed } from '../node-named.ts';
import { defineTool, NODE_NAME } from '../tool.ts';

export const connect = defineTool({
  name: 'connect',
  description:
    'How two nodes of the graph are connected: the shortest path between them, with the lines that state each step; `leads_to` has ways that people accepted as what leads from one to the other. For "how does X lead to Y".',
  effect: 'reads',
  parameters: z.strictObject({ from: NODE_NAME, to: NODE_NAME }),
  run({ from, to }, { graph, memory }) {
    const [source, target] = [nodeNamed(graph, from), nodeNamed(graph, to)];
    const none = { source: source.display, target: target.display, path_length: null, path: null };
    const ways = waysBetween(memory.list({ kind: COMPILED_PROVENANCE.kind }), source.display, target.display);
    const remembered = ways.length === 0 ? {} : { leads_to: ways };
    return { fields: { ...(connectionOf(graph, source, target) ?? none), ...remembered } };
  },
});

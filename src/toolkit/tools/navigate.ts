import { z } from 'zod';
import { EDGE_TYPES, edgeTypesNamed } from '../edge-types.ts';
import { nodeNamed } from '../node-named.ts';
import { defineTool, NODE_NAME, OFFSET } from '../tool.ts';

export const navigate = defineTool({
  name: 'navigate',
  description:
    'The neighbours of a node of the knowledge graph: where each edge leads and which lines of the docs state it. Follow it step by step to answer how one thing leads to another.',
  effect: 'reads',
  parameters: z.strictObject({
    node: NODE_NAME,
    direction: z.enum(['out', 'in', 'both']).default('both').describe('out: what the node does or leads to'),
    edge_types: EDGE_TYPES,
    offset: OFFSET,
  }),
  run({ node: name, direction, edge_types: types, offset }, { graph }) {
    const node = nodeNamed(graph, name);
    const wanted = types && edgeTypesNamed(types, graph);
    const edges = graph
      .neighbours(node, { direction })
      .filter(({ type }) => wanted === undefined || wanted.includes(type));
    const neighbours = edges.slice(offset).map((edge) => {
      const isOutgoing = edge.sourceId === node.id;
      return {
        node: isOutgoing ? edge.targetDisplay : edge.sourceDisplay,
        edge_type: edge.type,
        direction: isOutgoing ? 'out' : 'in',
        evidence: edge.evidence.slice(0, 3),
      };
    });
    return {
      fields: { node: node.display, type: node.type, total: edges.length },
      list: { name: 'neighbours', items: neighbours, offset },
    };
  },
});

import { z } from 'zod';
import { requireNode } from '../../graph/questions.ts';
import { nodeView } from '../../graph/view.ts';
import { defineTool, NODE_NAME, OFFSET } from '../tool.ts';

export const inspect = defineTool({
  name: 'inspect',
  description:
    'All that is known of one node: what it is, where it is described, and its relationships with the lines that state them. For "what is X"; navigate has the edges alone, by direction and type.',
  effect: 'reads',
  parameters: z.strictObject({ node: NODE_NAME, offset: OFFSET }),
  run({ node: name, offset }, { graph }) {
    const { outgoing_relationships, incoming_relationships, ...fields } = nodeView(
      graph,
      requireNode(graph, name),
    );
    const relationships = [
      ...outgoing_relationships.map((relationship) => ({ direction: 'out', ...relationship })),
      ...incoming_relationships.map((relationship) => ({ direction: 'in', ...relationship })),
    ];
    return { fields, list: { name: 'relationships', items: relationships.slice(offset), offset } };
  },
});

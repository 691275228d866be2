import { z } from 'zod';
import { encodeName } from '../../core/names.ts';
import { nodeView } from '../../graph/view.ts';
import { nodeNamed } from '../node-named.ts';
import { defineTool, NODE_NAME, OFFSET } from '../tool.ts';

/** Limited, so that a thing that every page names leaves room for its relationships. Its file has all places. */
const SHOWN_SOURCES = 10;

export const inspect = defineTool({
  name: 'inspect',
  description:
    'All that is known of one node: what it is, where it is described, and its relationships with the lines that state them. For "what is X"; navigate has the edges alone, by direction and type.',
  effect: 'reads',
  parameters: z.strictObject({ node: NODE_NAME, offset: OFFSET }),
  run({ node: name, offset }, { graph }) {
    const { outgoing_relationships, incoming_relationships, sources, ...known } = nodeView(
      graph,
      nodeNamed(graph, name),
    );
    const { entity, type } = known;
    const further = sources.length - SHOWN_SOURCES;
    const fields =
      offset > 0
        ? { entity, type }
        : {
            ...known,
            sources: sources.slice(0, SHOWN_SOURCES),
            ...(further > 0
              ? { further_sources: `${further}: vfs_read /graph/nodes/${encodeName(entity)}` }
              : {}),
          };
    const relationships = [
      ...outgoing_relationships.map((relationship) => ({ direction: 'out', ...relationship })),
      ...incoming_relationships.map((relationship) => ({ direction: 'in', ...relationship })),
    ];
    return { fields, list: { name: 'relationships', items: relationships.slice(offset), offset } };
  },
});

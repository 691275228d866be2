import { z } from 'zod';
import { dependencyTree, type TreeNode } from '../../graph/dependency-tree.ts';
import { EDGE_TYPES, edgeTypesNamed } from '../edge-types.ts';
import { nodeNamed } from '../node-named.ts';
import { defineTool, NODE_NAME, OFFSET } from '../tool.ts';

const MAX_DEPTH = 5;
const MAX_NEIGHBOURS = 20;

export const getDependencies = defineTool({
  name: 'get_dependencies',
  description:
    'The tree of what a node leads to (out) or of what leads to it (in), some edges deep; circles are marked. For "what depends on this", "what breaks if this changes"; for one step use navigate, for the way between two nodes connect.',
  effect: 'reads',
  parameters: z.strictObject({
    node: NODE_NAME,
    direction: z.enum(['out', 'in', 'both']).default('out'),
    depth: z.int().min(1).max(MAX_DEPTH).default(2),
    edge_types: EDGE_TYPES,
    offset: OFFSET,
  }),
  run({ node: name, direction, depth, edge_types: types, offset }, { graph, store }) {
    const tree = dependencyTree(store, nodeNamed(graph, name), {
      depth,
      direction,
      edgeTypes: types && new Set(edgeTypesNamed(types, graph)),
      limit: MAX_NEIGHBOURS,
    });
    return {
      fields: { node: tree.node, direction, depth },
      list: { name: 'tree', items: linesOf(tree).slice(offset), offset, isText: true },
    };
  },
});

/** One line for each node, indented by its depth. */
function linesOf(node: TreeNode, depth = 0): string[] {
  const edges = node.edges.map(({ edge_type, direction }) =>
    direction === 'out' ? `→${edge_type}` : `←${edge_type}`,
  );
  const mark = node.mark === null ? '' : ` (${node.mark === 'cycle' ? 'a cycle' : 'shown above'})`;
  const more = node.more > 0 ? [`${'  '.repeat(depth + 1)}… ${node.more} more`] : [];
  return [
    `${'  '.repeat(depth)}${[...edges, node.node].join(' ')} [${node.type}]${mark}`,
    ...node.children.flatMap((child) => linesOf(child, depth + 1)),
    ...more,
  ];
}

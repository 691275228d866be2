import type { GraphQueries } from '../graph/queries.ts';
import { requireNode } from '../graph/questions.ts';
import type { StoredNode } from '../store/nodes.ts';

/** @throws UserError for a name that no node has. The message says what a caller of tools can do */
export function nodeNamed(graph: GraphQueries, name: string): StoredNode {
  return requireNode(graph, name, 'vfs_list /graph/nodes shows names');
}

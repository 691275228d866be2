import { z } from 'zod';
import { parsePath } from '../../core/paths.ts';
import { searched, TOP_K } from '../searched.ts';
import { defineTool, OFFSET } from '../tool.ts';

export const vfsSearch = defineTool({
  name: 'vfs_search',
  description:
    'Searches all of the tree, or what lies below one path: docs, nodes of the graph and memory ranked together. /context/memory looks into what is remembered alone. For the docs alone use search_files.',
  effect: 'reads',
  parameters: z.strictObject({
    query: z.string().min(1).max(10_000),
    scope: z.string().default('/').describe('a path of the tree, such as /context/memory'),
    top_k: TOP_K,
    offset: OFFSET,
  }),
  async run({ query, scope, top_k, offset }, box, context) {
    const path = parsePath(scope);
    await box.fs.stat(path, context);
    return searched(query, { limit: top_k, offset, scope: path }, box, context);
  },
});

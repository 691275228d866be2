import { z } from 'zod';
import { searched, TOP_K } from '../searched.ts';
import { defineTool, OFFSET } from '../tool.ts';

export const searchFiles = defineTool({
  name: 'search_files',
  description:
    'Passages of the docs, and of what is searched beside them, that answer a question, best first, with file and line. Ask in words, or with filters: "exact words" -not in:/docs/billing after:2026-01-01.',
  effect: 'reads',
  parameters: z.strictObject({ query: z.string().min(1).max(10_000), top_k: TOP_K, offset: OFFSET }),
  run: ({ query, top_k, offset }, box, context) =>
    searched(query, { limit: top_k, offset, scope: ['/docs', '/modules'] }, box, context),
});

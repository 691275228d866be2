import { z } from 'zod';
import { requireType } from '../../graph/questions.ts';
import { defineTool, OFFSET } from '../tool.ts';

const MAX_NAMES = 200;

export const searchGraph = defineTool({
  name: 'search_graph',
  description:
    'Nodes of the graph whose name is like a text, best first; mistyped and shortened names are found. To find the name of a thing before asking about it.',
  effect: 'reads',
  parameters: z.strictObject({
    query: z.string().min(1).max(1000),
    type: z.string().optional().describe('only nodes of this type, such as Endpoint or Event'),
    offset: OFFSET,
  }),
  run({ query, type, offset }, { graph }) {
    const wanted = type === undefined ? undefined : requireType(graph, type);
    const found = graph
      .similar(query, wanted === undefined ? MAX_NAMES : Number.MAX_SAFE_INTEGER)
      .filter((match) => wanted === undefined || match.type === wanted);
    const nodes = found
      .slice(0, MAX_NAMES)
      .map(({ name, type, score }) => ({ name, type, score: rounded(score) }));
    return { list: { name: 'nodes', items: nodes.slice(offset), offset } };
  },
});

function rounded(score: number): number {
  return Number(score.toFixed(3));
}

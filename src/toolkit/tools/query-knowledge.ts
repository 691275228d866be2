import { z } from 'zod';
import { UserError } from '../../core/errors.ts';
import type { GraphQueries } from '../../graph/queries.ts';
import { parseQuery } from '../../retrieval/language/parse-query.ts';
import { hitView, TOP_K } from '../searched.ts';
import { defineTool } from '../tool.ts';

const MAX_DEPTH = 5;
const MAX_PATTERN_LENGTH = 200;
const MAX_NODES = 40;

export const queryKnowledge = defineTool({
  name: 'query_knowledge',
  description:
    'Search and graph at once: the passages that answer a question, and the edges around what it names, with the lines that state them. The best first tool for a question of several steps.',
  effect: 'reads',
  parameters: z.strictObject({
    question: z.string().min(1).max(10_000),
    depth: z
      .int()
      .min(0)
      .max(MAX_DEPTH)
      .default(1)
      .describe('how many edges around the nodes that the question names'),
    top_k: TOP_K,
    path_regex: z
      .string()
      .max(MAX_PATTERN_LENGTH)
      .optional()
      .describe('only files whose path in the tree matches'),
    keyword: z.string().max(1000).optional().describe('only passages that hold this text'),
  }),
  async run({ question, depth, top_k, path_regex, keyword }, { search, graph }, { signal }) {
    const { hits, named } = await search.search(parseQuery(question), {
      limit: top_k,
      depth,
      ...(path_regex === undefined ? {} : { pathPattern: patternOf(path_regex) }),
      ...(keyword === undefined ? {} : { contains: keyword }),
      ...(signal ? { signal } : {}),
    });
    return {
      fields: { named, relations: relationsAround(named, depth, graph) },
      list: { name: 'hits', items: hits.map(hitView), offset: 0 },
    };
  },
});

/** @throws UserError */
function patternOf(text: string): RegExp {
  try {
    return new RegExp(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new UserError(`path_regex: ${error.message}`, 1, { cause: error });
  }
}

/** What the graph says among the nodes around those that are named, most specific edges first. */
function relationsAround(named: readonly string[], depth: number, graph: GraphQueries): string[] {
  if (depth === 0) return [];
  const lines = named.flatMap((name) => {
    const node = graph.node(name);
    if (node === undefined) return [];
    return graph
      .subgraph(node, depth, MAX_NODES)
      .edges.map(({ sourceDisplay, type, targetDisplay, evidence }) => {
        const [place] = evidence;
        return `${sourceDisplay} ${type} ${targetDisplay}${place === undefined ? '' : ` (${place})`}`;
      });
  });
  return [...new Set(lines)].slice(0, 2 * MAX_NODES);
}

import { z } from 'zod';
import type { GraphQueries } from '../../graph/queries.ts';
import { parseQuery } from '../../retrieval/language/parse-query.ts';
import { linearPattern } from '../linear-pattern.ts';
import { hitView, readAsText, TOP_K, whyNotAll } from '../searched.ts';
import { defineTool, OFFSET } from '../tool.ts';

const MAX_DEPTH = 5;
const MAX_PATTERN_LENGTH = 200;
const MAX_NODES = 40;
const MAX_RELATIONS = 24;

export const queryKnowledge = defineTool({
  name: 'query_knowledge',
  description:
    'Search and graph at once: the passages that answer a question, and the edges around what it names, with the lines that state them. The best first tool for a question of several steps.',
  effect: 'reads',
  parameters: z.strictObject({
    query: z.string().min(1).max(10_000),
    depth: z
      .int()
      .min(0)
      .max(MAX_DEPTH)
      .default(1)
      .describe('how many edges around the nodes that the query names'),
    top_k: TOP_K,
    path_regex: z
      .string()
      .max(MAX_PATTERN_LENGTH)
      .optional()
      .describe('only what lies at a path of the tree that matches, such as ^/docs/charges/; RE2 syntax'),
    keyword: z.string().max(1000).optional().describe('only passages that hold this text, in any case'),
    offset: OFFSET,
  }),
  async run({ query, depth, top_k, path_regex, keyword, offset }, { search, graph, readSoFar }, { signal }) {
    const parsed = parseQuery(query);
    const answer = await search.search(parsed, {
      limit: offset + top_k,
      depth,
      ...(path_regex === undefined ? {} : { pathPattern: linearPattern(path_regex) }),
      ...(keyword === undefined ? {} : { contains: keyword }),
      ...(signal ? { signal } : {}),
    });
    const { hits, named } = answer;
    // They were in the first answer.
    const relations = offset > 0 ? [] : relationsAround(named, depth, graph);
    const left = relations.length - MAX_RELATIONS;
    return {
      fields: {
        named,
        ...readAsText(parsed),
        ...whyNotAll(answer, readSoFar),
        relations: relations.slice(0, MAX_RELATIONS),
        ...(left > 0 ? { relations_note: `${left} more: navigate shows those of one node` } : {}),
      },
      list: { name: 'hits', items: hits.slice(offset).map(hitView), offset },
    };
  },
});

/** What the graph says about the nodes around those that are named, most specific edges first. */
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
  return [...new Set(lines)];
}

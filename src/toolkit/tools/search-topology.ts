import { z } from 'zod';
import { parseQuery } from '../../retrieval/language/parse-query.ts';
import { TOP_K, whyNotAll } from '../searched.ts';
import { defineTool, OFFSET } from '../tool.ts';

export const searchTopology = defineTool({
  name: 'search_topology',
  description:
    'Nodes of the graph that a question is about, by meaning and not by name alone: those it names, and those whose description answers it, each with what it leads to.',
  effect: 'reads',
  parameters: z.strictObject({ query: z.string().min(1).max(10_000), top_k: TOP_K, offset: OFFSET }),
  async run({ query, top_k, offset }, { search, graph, readSoFar }) {
    const answer = await search.search(parseQuery(query), {
      limit: (offset + top_k) * 2,
      scope: '/graph',
    });
    const { hits, named } = answer;
    const names = [...named, ...hits.filter(({ kind }) => kind === 'node').map(({ title }) => title)];
    const nodes = [...new Set(names)].slice(offset, offset + top_k).flatMap((name) => graph.node(name) ?? []);
    const shown = nodes.map((node) => ({
      node: node.display,
      type: node.type,
      description: node.description,
      is_named: named.includes(node.name),
      leads_to: graph
        .outgoing(node)
        .slice(0, 5)
        .map(({ type, targetDisplay }) => `${type} ${targetDisplay}`),
      sources: node.sources.slice(0, 3),
    }));
    return { fields: { ...whyNotAll(answer, readSoFar) }, list: { name: 'nodes', items: shown, offset } };
  },
});

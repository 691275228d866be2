import type { App } from '../../app/app.ts';
import { decodeName } from '../../core/names.ts';
import type { NodeView } from '../../graph/view.ts';
import { defineCommand } from '../command.ts';
import { writeJson } from '../io.ts';
import { withProject } from '../project.ts';
import { provenanceOf } from '../provenance.ts';
import { writeNodePage } from '../text/node-page.ts';
import { shownOn } from '../text/printable.ts';

export const query = defineCommand({
  verb: 'query',
  summary: 'what the docs say about a concept: description, relations, evidence',
  details: 'Names such as fact/refunds, topic/billing and agent/ana are nodes of the graph of memory.',
  positionals: {
    concept: { summary: 'name of a node, in any case and number; a document also by its path' },
  },
  options: {
    format: {
      type: 'text',
      value: 'FORMAT',
      choices: ['text', 'markdown', 'json'],
      default: 'text',
      summary: 'output format',
    },
  },
  example: 'kgraphfs query Charge --docs docs/sample',
  run: (args, io) => {
    const provenance = provenanceOf('query', args);
    return withProject(args, io, async (app) => {
      const { nodeMarkdown } = await import('../../graph/markdown.ts');
      const view = await viewOf(app, args.concept);
      if (args.json || args.format === 'json')
        writeJson(io.out, { ...view, ...provenance(app.graph.revision()) });
      else if (args.format === 'markdown') io.out.write(shownOn(io.out, nodeMarkdown(view)));
      else writeNodePage(io.out, view);
      return 0;
    });
  },
});

/** The node that a name means: a node of the docs with this very name, then one of memory, then a node of the docs with a similar name. */
async function viewOf({ graph, workspace }: App, name: string): Promise<NodeView<string>> {
  const [{ requireNode }, { nodeView }, { memoryNodeView }, { isMemoryName }] = await Promise.all([
    import('../../graph/questions.ts'),
    import('../../graph/view.ts'),
    import('../../memory-graph/view.ts'),
    import('../../memory-graph/node-names.ts'),
  ]);
  const remembered = isMemoryName(decodeName(name)) ? workspace.memoryGraph.node(name) : undefined;
  if (remembered && graph.node(name)?.display !== name) {
    return memoryNodeView(workspace.memoryGraph, remembered);
  }
  return nodeView(graph, requireNode(graph, name));
}

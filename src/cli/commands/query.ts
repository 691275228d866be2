import { defineCommand } from '../command.ts';
import { writeJson } from '../io.ts';
import { withProject } from '../project.ts';
import { writeNodePage } from '../text/node-page.ts';

export const query = defineCommand({
  verb: 'query',
  summary: 'what the docs say about a concept: description, relations, evidence',
  positionals: { concept: { summary: 'name of a node, in any case and number' } },
  options: {
    format: {
      type: 'text',
      value: 'FORMAT',
      choices: ['text', 'markdown', 'json'],
      default: 'text',
      summary: 'how to print it',
    },
  },
  example: 'kgraphfs query Charge --docs docs/sample',
  run: (args, io) =>
    withProject(args, io, async ({ graph }) => {
      const [{ requireNode }, { nodeView }, { nodeMarkdown }] = await Promise.all([
        import('../../graph/questions.ts'),
        import('../../graph/view.ts'),
        import('../../graph/markdown.ts'),
      ]);
      const view = nodeView(graph, requireNode(graph, args.concept));
      if (args.json || args.format === 'json') writeJson(io.out, view);
      else if (args.format === 'markdown') io.out.write(nodeMarkdown(view));
      else writeNodePage(io.out, view);
      return 0;
    }),
});

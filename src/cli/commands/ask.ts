import { UserError } from '../../core/errors.ts';
import { printable } from '../../core/printable.ts';
import { callerContext } from '../caller.ts';
import { defineCommand } from '../command.ts';
import { writeJson } from '../io.ts';
import { withProject } from '../project.ts';
import { provenanceOf } from '../provenance.ts';
import { usageError } from '../usage-error.ts';

const VERB = 'ask';

export const ask = defineCommand({
  verb: VERB,
  summary: 'an answer to a question, with the lines it stands on',
  details:
    'The answer is made of the sources alone: the way through the graph between what the question names, and the passages that answer\n' +
    'best, each with its place. --json gives {answer, traversal_log, sources, call, duration_ms, revision}.',
  positionals: { question: { summary: 'in your own words', count: 'many' } },
  options: {
    llm: { type: 'boolean', summary: 'ask a language model; --no-llm answers from the sources alone' },
  },
  example:
    'kgraphfs ask "How does a subscription renewal create a charge and trigger a webhook?" --docs docs/sample',
  async run(args, io) {
    const question = args.question.join(' ').trim();
    if (question === '') throw usageError(`${VERB} needs a question`, VERB);
    const context = callerContext(io);
    const provenance = provenanceOf(VERB, args);
    return withProject(args, io, async ({ search, graph, workspace }) => {
      const [{ answerFromSources }, { answerText }] = await Promise.all([
        import('../../answer/from-sources.ts'),
        import('../../answer/answer-text.ts'),
      ]);
      const answer = await answerFromSources(question, { engine: search, graph });
      workspace.record({ type: 'search', data: { query: question, hits: answer.passages.length }, context });
      const text = answerText(answer);
      if (args.json) {
        writeJson(io.out, {
          answer: text,
          traversal_log: answer.lookups.map(({ tool, args, resultSummary }) => ({
            tool,
            args,
            result_summary: resultSummary,
          })),
          sources: answer.sources,
          ...provenance(graph.revision()),
        });
      }
      if (text === '') throw new UserError(`nothing in the docs or in memory answers "${question}"`);
      if (!args.json) io.out.write(`${printableLines(text)}\n`);
      return 0;
    });
  },
});

function printableLines(text: string): string {
  return text.split('\n').map(printable).join('\n');
}

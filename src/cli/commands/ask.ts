import type { LlmFlags } from '../../config/llm.ts';
import type { Settings } from '../../config/settings.ts';
import { UserError } from '../../core/errors.ts';
import type { ModelSettings } from '../../settings/language-model.ts';
import { callerContext } from '../caller.ts';
import { defineCommand } from '../command.ts';
import { CONVERSATION_OPTIONS } from '../conversation.ts';
import { givenQuestion } from '../given-question.ts';
import type { Io } from '../io.ts';
import { withProject } from '../project.ts';
import { provenanceOf } from '../provenance.ts';
import { usageError } from '../usage-error.ts';

const VERB = 'ask';

export const ask = defineCommand({
  verb: VERB,
  summary: 'an answer to a question, with the lines that it rests on',
  details:
    'If there is a language model (kgraphfs env shows which), it answers: it is given a context for the question, looks further with\n' +
    'tools, and cites the lines that its answer rests on. Its claims are compared with the docs: what they say is remembered, the rest\n' +
    'waits for review.\n' +
    'Without a model, or with --no-llm, the answer is made only of the sources: the way through the graph between the things that the\n' +
    'question names, and the passages that answer best, each with its place.\n' +
    'A question on standard input is taken as a whole, with all its lines: echo "How …?" | kgraphfs ask, kgraphfs ask - < question.txt.\n' +
    '--json gives {answer, traversal_log, sources, call, duration_ms, revision}, with a model also {model, usage, learned, end}.',
  positionals: {
    question: {
      summary: 'in your own words; with - or without a question, standard input is read',
      count: 'many',
    },
  },
  options: {
    llm: {
      type: 'boolean',
      summary: 'fail if there is no language model; --no-llm uses none (default: one that there is)',
    },
    ...CONVERSATION_OPTIONS,
  },
  example:
    'kgraphfs ask "How does a subscription renewal create a charge and trigger a webhook?" --docs docs/sample',
  async run(args, io) {
    const question = await givenQuestion(args.question, io);
    if (question === '') throw usageError(`${VERB} needs a question`, VERB);
    const context = callerContext(io);
    const provenance = provenanceOf(VERB, { ...args, question: [question] });
    return withProject(args, io, async (app) => {
      const { search, graph, workspace } = app;
      const settings = await modelAsked(args, app.settings, io);
      if (settings !== undefined) {
        const { askModel } = await import('../ask-model.ts');
        return askModel(args, io, { question, app, settings, isJson: args.json === true, provenance });
      }
      const { askSources } = await import('../ask-sources.ts');
      const said = await askSources({
        question,
        search,
        graph,
        record: workspace.record,
        context,
        isJson: args.json === true,
        provenance,
      });
      said.write(io);
      if (!said.isAnswer) throw new UserError(`nothing in the docs or in memory answers "${question}"`);
      return 0;
    });
  },
});

/** The model to ask; undefined if the sources are to answer. Tells the user why there is no model, unless none is wanted. */
async function modelAsked(
  args: LlmFlags & { readonly llm: boolean | undefined },
  settings: Settings,
  io: Io,
): Promise<ModelSettings | undefined> {
  if (args.llm === false) return undefined;
  const { chosenModel } = await import('../language-model.ts');
  const choice = await chosenModel(settings, args, io);
  if (choice.settings !== undefined || choice.lack === undefined) return choice.settings;
  if (args.llm) throw new UserError(choice.lack);
  io.err.write(`answered from the sources, without a language model: ${choice.lack}\n`);
  return undefined;
}

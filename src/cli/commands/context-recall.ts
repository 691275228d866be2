import { UserError } from '../../core/errors.ts';
import { CONVERSATION_ID } from '../../settings/context.ts';
import { defineCommand } from '../command.ts';
import { wordsOrInput } from '../given-question.ts';
import { writeJson } from '../io.ts';
import { withProject } from '../project.ts';
import { provenanceOf } from '../provenance.ts';
import { shownOn } from '../text/printable.ts';
import { usageError } from '../usage-error.ts';

const VERB = 'context recall';
const DEFAULT_BUDGET_TOKENS = 2000;

export const contextRecall = defineCommand({
  verb: VERB,
  summary: 'turns of paged conversations that a question is about, whole, within a budget',
  positionals: { question: { summary: 'the question to answer; - reads standard input', isFreeText: true } },
  options: {
    conversation: { type: 'text', value: 'ID', summary: 'only turns of this conversation' },
    budget: {
      type: 'count',
      value: 'N',
      min: 1,
      default: DEFAULT_BUDGET_TOKENS,
      summary: 'at most N tokens',
    },
  },
  example: 'kgraphfs context recall "Where did Ada move to?" --docs docs/sample',
  async run(args, io) {
    const { conversation, budget } = args;
    if (conversation !== undefined && !CONVERSATION_ID.test(conversation)) {
      throw usageError(
        `--conversation "${conversation}": an id has letters, digits, dots, underscores and hyphens`,
        VERB,
      );
    }
    const question = await wordsOrInput(args.question, io, VERB);
    const provenance = provenanceOf(VERB, { ...args, question });
    return withProject(args, io, async (app) => {
      const { openContextLoop } = await import('../../app/contexts/context-loop.ts');
      const loop = openContextLoop(app);
      const { turns, tokens, stored } = await loop.recall({ question, budgetTokens: budget, conversation });
      loop.close();
      if (args.json)
        writeJson(io.out, {
          question,
          budget_tokens: budget,
          tokens,
          turns,
          ...provenance(app.graph.revision()),
        });
      else if (turns.length > 0)
        io.out.write(shownOn(io.out, turns.map(({ text }) => `${text}\n`).join('\n')));
      if (turns.length > 0 || args.json) return 0;
      throw new UserError(stored > 0 ? `no paged turn is about "${question}"` : nothingPaged(conversation));
    });
  },
});

function nothingPaged(conversation: string | undefined): string {
  return conversation === undefined
    ? 'no conversation has been paged; kgraphfs context page does that'
    : `there is no paged conversation "${conversation}"; kgraphfs context memory list episodic shows those there are`;
}

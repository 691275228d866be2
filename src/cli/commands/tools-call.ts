import { reasonOf } from '../../core/errors.ts';
import { callerContext } from '../caller.ts';
import { defineCommand } from '../command.ts';
import { writeJson } from '../io.ts';
import { withProject } from '../project.ts';
import { usageError } from '../usage-error.ts';

const VERB = 'tools call';
const DEFAULT_CEILING_TOKENS = 2_000;

export const toolsCall = defineCommand({
  verb: VERB,
  summary: 'run one tool as a model would, and print its answer',
  details:
    'The answer is JSON: {call, duration_ms, revision} with what was found, `more` if that is not all, or `error` with exit status 1.\n' +
    'What the tool writes to memory waits in context/review, as if a model had written it.',
  positionals: {
    tool: { summary: 'its name, as kgraphfs tools lists it' },
    args: { summary: 'a JSON object, such as {"node": "Charge"}; default {}', count: 'optional' },
  },
  options: {
    maxTokens: {
      type: 'count',
      value: 'N',
      min: 1,
      default: DEFAULT_CEILING_TOKENS,
      summary: 'ceiling of the answer',
    },
  },
  example: 'kgraphfs tools call vfs_list --docs docs/sample',
  async run({ tool, args = '{}', maxTokens, ...common }, io) {
    const given = objectIn(args);
    const context = callerContext(io);
    return withProject(common, io, async (app) => {
      const [{ callTool }, { TOOLS }, { openToolbox }, { loadTokenCounter }] = await Promise.all([
        import('../../toolkit/call.ts'),
        import('../../toolkit/toolkit.ts'),
        import('../../app/open-toolbox.ts'),
        import('../../context/tokens.ts'),
      ]);
      const counter = await loadTokenCounter(app.settings.context.tokenizer);
      const box = openToolbox(app, {
        countTokens: (text) => counter.count(text),
        writesCountAtOnce: false,
      });
      const options = { context, ceilingTokens: maxTokens };
      const reply = await callTool(TOOLS, { tool, args: given }, box, options);
      writeJson(io.out, reply);
      return reply.error === undefined ? 0 : 1;
    });
  },
});

/** The arguments of the call. @throws UserError of status 2 if the text is no JSON object */
function objectIn(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch (error) {
    throw usageError(`the arguments are not JSON: ${reasonOf(error)}`, VERB);
  }
  throw usageError('the arguments are not a JSON object', VERB);
}

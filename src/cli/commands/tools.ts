import { defineCommand } from '../command.ts';
import { writeJson } from '../io.ts';

export const tools = defineCommand({
  verb: 'tools',
  summary: 'the tools with which a model uses the tree, and what each takes',
  details:
    'ask, chat, MCP and the library use the same tools. --json prints them as functions of the OpenAI API; tools call runs one by hand.',
  positionals: {},
  options: {},
  example: 'kgraphfs tools',
  async run(args, io) {
    const [{ z }, { TOOLS }] = await Promise.all([import('zod'), import('../../toolkit/toolkit.ts')]);
    const offers = TOOLS.map(({ name, description, effect, parameters }) => ({
      name,
      description,
      effect,
      parameters: z.toJSONSchema(parameters, { io: 'input' }),
    }));
    if (args.json) {
      writeJson(
        io.out,
        offers.map(({ effect: _effect, ...offer }) => ({ type: 'function', function: offer })),
      );
      return 0;
    }
    for (const { name, description, effect, parameters } of offers) {
      const required = new Set(parameters.required ?? []);
      const shown = Object.keys(parameters.properties ?? {}).map((one) =>
        required.has(one) ? one : `[${one}]`,
      );
      const changes = effect === 'reads' ? '' : io.out.style('yellow', `  ${effect}`);
      io.out.write(`${io.out.style('bold', name)} ${shown.join(' ')}${changes}\n  ${description}\n`);
    }
    return 0;
  },
});

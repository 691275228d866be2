import { tool } from '@langchain/core/tools';
import type { Context } from './context.ts';
import type { CallToolOptions } from './model-tools.ts';

/**
 * The toolkit as tools of LangChain.js, each of which answers with JSON. Needs the package @langchain/core, which kgraphfs does not install.
 * @param options in whose name the tools are called
 */
export function langChainTools(
  context: Pick<Context, 'openAiTools' | 'callTool'>,
  options: Pick<CallToolOptions, 'actor'> = {},
) {
  return context.openAiTools().map(({ function: { name, description, parameters } }) =>
    tool(
      async (args: unknown, config?: { readonly signal?: AbortSignal }) => {
        const signal = config?.signal;
        return JSON.stringify(
          await context.callTool(name, args, { ...options, ...(signal === undefined ? {} : { signal }) }),
        );
      },
      { name, description, schema: { type: 'object', ...parameters } },
    ),
  );
}

import { z } from 'zod';
import type { ToolOffer } from '../agent/chat-model.ts';
import type { RoundOptions, ToolAnswer } from '../agent/tool-round.ts';
import { reasonOf } from '../core/errors.ts';
import type { OpContext } from '../core/resolver.ts';
import { callTool } from '../toolkit/call.ts';
import type { Tool, Toolbox } from '../toolkit/tool.ts';

/** The descriptions of tools for a model. */
export function offersOf(tools: readonly Tool[]): ToolOffer[] {
  return tools.map(({ name, description, parameters }) => {
    const { $schema: _, ...schema } = z.toJSONSchema(parameters, { io: 'input' });
    return { name, description, parameters: schema };
  });
}

export interface CallsOptions {
  readonly tools: readonly Tool[];
  readonly box: Toolbox;
  /** The context of the model, under whose name calls are made. */
  readonly context: OpContext;
  readonly ceilingTokens: number;
  /** Is told of bugs. The model is only told that the call failed. */
  readonly onBug: (error: unknown, tool: string) => void;
}

/** Lets tools answer the calls of a model, with the rights of its name. */
export function callsOf(options: CallsOptions): Pick<RoundOptions, 'call' | 'changes'> {
  const { tools, box, context, ceilingTokens, onBug } = options;
  const changing = new Set(tools.filter(({ effect }) => effect !== 'reads').map(({ name }) => name));
  return {
    changes: (tool) => changing.has(tool),
    async call(tool, args): Promise<ToolAnswer> {
      try {
        return await callTool(tools, { tool, args }, box, { context, ceilingTokens });
      } catch (error) {
        if (context.signal?.aborted) throw error;
        onBug(error, tool);
        return { error: { code: 'EIO', message: `this did not work: ${reasonOf(error)}` } };
      }
    },
  };
}

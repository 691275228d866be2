import { z } from 'zod';
import type { OpContext } from '../core/resolver.ts';
import { callTool, type ToolReply } from '../toolkit/call.ts';
import type { Tool, Toolbox } from '../toolkit/tool.ts';

/** A tool in the form that the chat completions API of OpenAI, and compatible ones, take. */
export interface OpenAiTool {
  readonly type: 'function';
  readonly function: {
    readonly name: string;
    readonly description: string;
    /** JSON Schema of an object. */
    readonly parameters: Record<string, unknown>;
  };
}

export interface CallToolOptions {
  /** The name of the model or agent that calls the tool. Default: that of the context. */
  readonly actor?: string;
  readonly signal?: AbortSignal;
}

export function openAiTool({ name, description, parameters }: Tool): OpenAiTool {
  const { $schema: _, ...schema } = z.toJSONSchema(parameters, { io: 'input' });
  return { type: 'function', function: { name, description, parameters: schema } };
}

/** @param args an object, or the JSON that a model wrote. If it is not JSON, the reply says so */
export async function callModelTool(
  tools: readonly Tool[],
  name: string,
  args: unknown,
  box: Toolbox,
  context: OpContext,
): Promise<ToolReply> {
  return callTool(tools, { tool: name, args: typeof args === 'string' ? parsed(args) : args }, box, {
    context,
  });
}

/** Text that is not JSON is passed on as it is: the tool refuses it like any other wrong arguments. */
function parsed(args: string): unknown {
  if (args.trim() === '') return {};
  try {
    return JSON.parse(args);
  } catch {
    // The tool says what is wrong, in words for a model.
    return args;
  }
}

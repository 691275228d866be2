import { z } from 'zod';
import type { OpContext } from '../core/resolver.ts';
import { callTool, type ToolReply } from '../toolkit/call.ts';
import type { Tool, Toolbox } from '../toolkit/tool.ts';

/** A tool as the chat completions API of OpenAI, and those compatible with it, take it. */
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
  /** In whose name the tool is called: of a model, or of the agent that it is. Default: that of the context. */
  readonly actor?: string;
  readonly signal?: AbortSignal;
}

export function openAiTool({ name, description, parameters }: Tool): OpenAiTool {
  const { $schema: _, ...schema } = z.toJSONSchema(parameters, { io: 'input' });
  return { type: 'function', function: { name, description, parameters: schema } };
}

/** @param args an object, or the JSON that a model wrote: where it is none, that is the answer */
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

/** What is no JSON is refused by the tool, as any other wrong arguments. */
function parsed(args: string): unknown {
  if (args.trim() === '') return {};
  try {
    return JSON.parse(args);
  } catch {
    return args;
  }
}

import { z } from 'zod';
import { EXIT, FsError, UserError } from '../core/errors.ts';
import { plainIssues } from '../core/plain-issues.ts';
import type { OpContext } from '../core/resolver.ts';
import { fitted } from './fit.ts';
import type { Tool, Toolbox } from './tool.ts';

/** The name of a tool with its arguments. */
export interface ToolCall {
  readonly tool: string;
  readonly args: unknown;
}

/** The fields of every answer: the call, how long it took, and the revision of the docs' graph. */
export interface ToolReply {
  readonly call: ToolCall;
  readonly duration_ms: number;
  readonly revision: number;
  /** Why there is no answer, in words that a model can act on. */
  readonly error?: { readonly code: string; readonly message: string };
  readonly [field: string]: unknown;
}

/** The maximal number of tokens of an answer. The answer says what was left out. */
export const DEFAULT_CEILING_TOKENS = 2_000;

export interface CallOptions {
  /** Default {@link DEFAULT_CEILING_TOKENS}. */
  readonly ceilingTokens?: number;
  readonly context?: OpContext;
}

/** Executes a call. A mistake of the caller never throws: the answer tells of it. */
export async function callTool(
  tools: readonly Tool[],
  call: ToolCall,
  box: Toolbox,
  { ceilingTokens = DEFAULT_CEILING_TOKENS, context = {} }: CallOptions = {},
): Promise<ToolReply> {
  const startMs = performance.now();
  const head = () => ({
    call,
    duration_ms: Math.round(performance.now() - startMs),
    revision: box.graph.revision(),
  });
  try {
    const tool = tools.find(({ name }) => name === call.tool);
    if (tool === undefined) {
      const names = tools.map(({ name }) => name).join(', ');
      throw new UserError(`there is no tool "${call.tool}"; the tools are ${names}`);
    }
    const found = await tool.run(call.args, box, context);
    return fitted(head(), found, ceilingTokens, box.countTokens);
  } catch (error) {
    const { code, message } = explained(error);
    return fitted(head(), { fields: { error: { code, message } } }, ceilingTokens, box.countTokens);
  }
}

/** @throws any error that is a bug */
function explained(error: unknown): { code: string; message: string } {
  if (error instanceof z.ZodError) {
    const faults = plainIssues(error.issues).map(
      ({ path, message }) => `${path.join('.') || 'arguments'}: ${message}`,
    );
    return { code: 'EINVAL', message: faults.join('; ') };
  }
  if (error instanceof FsError) return { code: error.code, message: `${error.path}: ${error.why}` };
  if (error instanceof UserError) {
    return { code: error.exitStatus === EXIT.wrongUsage ? 'EINVAL' : 'ENOENT', message: error.message };
  }
  throw error;
}

import { z } from 'zod';
import { EXIT, FsError, UserError } from '../core/errors.ts';
import { plainIssues } from '../core/plain-issues.ts';
import type { OpContext } from '../core/resolver.ts';
import { fitted } from './fit.ts';
import type { Tool, Toolbox } from './tool.ts';

/** A tool, and what it is called with. */
export interface ToolCall {
  readonly tool: string;
  readonly args: unknown;
}

/** What every answer has: what was asked, how long it took, and of which state of the docs' graph it is. */
export interface ToolReply {
  readonly call: ToolCall;
  readonly duration_ms: number;
  readonly revision: number;
  /** Why there is no answer, in words that a model can act on. */
  readonly error?: { readonly code: string; readonly message: string };
  readonly [field: string]: unknown;
}

/** Tokens of an answer at most; what is left is told. */
export const DEFAULT_CEILING_TOKENS = 2_000;

export interface CallOptions {
  /** Default {@link DEFAULT_CEILING_TOKENS}. */
  readonly ceilingTokens?: number;
  readonly context?: OpContext;
}

/** Does what a call says. Never throws for what the caller did wrong: that is an answer, too. */
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

/** @throws whatever is no answer but a bug */
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

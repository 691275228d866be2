import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { Prompt } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { JOBS } from './jobs.ts';
import { invalidParams, onRequest } from './requests.ts';

const listSchema = z.object({ cursor: z.string().optional() });
const getSchema = z.object({
  name: z.string(),
  arguments: z.record(z.string(), z.string().max(10_000)).optional(),
});

/** Common jobs as prompts. */
export function servePrompts(server: Server): void {
  const prompts: Prompt[] = JOBS.map(({ name, title, description, arguments: args }) => ({
    name,
    title,
    description,
    arguments: [...args],
  }));
  onRequest(server, 'prompts/list', listSchema, async () => ({ prompts }));
  onRequest(server, 'prompts/get', getSchema, async ({ name, arguments: given = {} }) => {
    const job = JOBS.find((one) => one.name === name);
    if (job === undefined)
      throw invalidParams(
        `there is no prompt "${name}"; the prompts are ${JOBS.map((one) => one.name).join(', ')}`,
      );
    const missing = job.arguments.find((one) => one.required && !given[one.name]?.trim());
    if (missing !== undefined) throw invalidParams(`the prompt "${name}" needs "${missing.name}"`);
    return {
      description: job.description,
      messages: [{ role: 'user', content: { type: 'text', text: job.text(given) } }],
    };
  });
}

/** Whether an argument of a prompt names a node of the graph. */
export function namesNode(prompt: string, argument: string): boolean {
  return (prompt === 'trace' && (argument === 'from' || argument === 'to')) || argument === 'topic';
}

import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  type CallToolResult,
  type Tool as ProtocolTool,
  ToolSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import type { OpContext } from '../core/resolver.ts';
import type { ToolReply } from '../toolkit/call.ts';
import type { Tool, ToolEffect } from '../toolkit/tool.ts';
import type { Opening, ProjectDoor, ServedProject } from './project.ts';
import { type Asking, invalidParams, onRequest } from './requests.ts';

/** What each effect means to a client that asks its user before a call. None of them reaches beyond the project. */
const HINTS: Readonly<Record<ToolEffect, ProtocolTool['annotations']>> = {
  reads: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  adds: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  changes: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
};

const argsSchema = z.looseObject({});

/** The fields that every answer has besides those of its tool. */
const replySchema = z.looseObject({
  call: z
    .object({ tool: z.string(), args: argsSchema })
    .describe('what was asked, to be asked again or shown to the user'),
  duration_ms: z.number(),
  error: z.object({ code: z.string(), message: z.string() }).optional().describe('why there is no answer'),
  revision: z.number().describe('of the graph of the docs: the same number, the same graph'),
  more: z
    .object({ left: z.number(), call: z.object({ tool: z.string(), args: argsSchema }) })
    .optional()
    .describe('what did not fit under the ceiling of tokens: how much, and the call that gives it'),
});

const OUTPUT = objectSchema(replySchema);

const listSchema = z.object({ cursor: z.string().optional() });
const callSchema = z.object({
  name: z.string(),
  arguments: z.record(z.string(), z.unknown()).optional(),
});

/** The toolkit as MCP tools. */
export function serveTools(
  server: Server,
  door: ProjectDoor,
  load: () => Promise<readonly Tool[]>,
  contextOf: (asking: Asking) => OpContext,
): void {
  onRequest(server, 'tools/list', listSchema, async () => ({ tools: (await load()).map(protocolTool) }));
  onRequest(server, 'tools/call', callSchema, async ({ name, arguments: args = {} }, asking) => {
    const [tools, { callTool }] = await Promise.all([load(), import('../toolkit/call.ts')]);
    if (!tools.some((tool) => tool.name === name)) {
      throw invalidParams(
        `there is no tool "${name}"; the tools are ${tools.map((tool) => tool.name).join(', ')}`,
      );
    }
    const call = async (project: ServedProject): Promise<CallToolResult> => {
      const context = contextOf(asking);
      const reply = await callTool(tools, { tool: name, args }, project.box, { context });
      const { duration_ms: durationMs, error } = reply;
      project.called({ tool: name, args, durationMs, error: error?.code, context });
      return resultOf(reply);
    };
    return door.use(call, progressTo(asking));
  });
}

function protocolTool({ name, description, effect, parameters }: Tool): ProtocolTool {
  const title = titleOf(name);
  return {
    name,
    title,
    description,
    inputSchema: objectSchema(parameters),
    outputSchema: OUTPUT,
    annotations: { title, ...HINTS[effect] },
  };
}

/** The reply as structured content, and as the same in text for clients that know only that. */
function resultOf(reply: ToolReply): CallToolResult {
  const text =
    reply.error === undefined ? JSON.stringify(reply) : `${reply.error.code}: ${reply.error.message}`;
  return {
    content: [{ type: 'text', text }],
    structuredContent: { ...reply },
    ...(reply.error === undefined ? {} : { isError: true }),
  };
}

/** Reports to a client that asked for it how far the index is that its call waits for. */
function progressTo({ _meta, sendNotification }: Asking): ((opening: Opening) => void) | undefined {
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return undefined;
  let told = 0;
  return ({ done, total }) => {
    // The protocol requires that it grows each time.
    if (done <= told) return;
    told = done;
    const params = {
      progressToken,
      progress: done,
      total,
      message: `${done} of ${total} documents are read`,
    };
    // A client that has left need not know.
    sendNotification({ method: 'notifications/progress', params }).catch(() => undefined);
  };
}

/** A JSON Schema for the arguments as a caller gives them: those with a default may be left out. */
function objectSchema(schema: z.ZodObject): ProtocolTool['inputSchema'] {
  return ToolSchema.shape.inputSchema.parse(
    z.toJSONSchema(schema, {
      io: 'input',
      override({ jsonSchema }) {
        // An empty schema means the same, but not every model's API accepts it.
        if (jsonSchema.additionalProperties !== undefined && isEmpty(jsonSchema.additionalProperties))
          jsonSchema.additionalProperties = true;
      },
    }),
  );
}

function isEmpty(schema: unknown): boolean {
  return typeof schema === 'object' && schema !== null && Object.keys(schema).length === 0;
}

/** Makes `Vfs read` of `vfs_read`. */
function titleOf(name: string): string {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { z } from 'zod';
import { isFsError } from '../core/errors.ts';
import { parsePath } from '../core/paths.ts';
import type { SystemFs } from '../vfs/system-fs.ts';
import type { ProjectDoor } from './project.ts';
import { namesNode } from './prompts.ts';
import { onRequest } from './requests.ts';

/** The limit of the protocol. */
const MAX_VALUES = 100;

const completeSchema = z.object({
  ref: z.union([
    z.object({ type: z.literal('ref/prompt'), name: z.string() }),
    z.object({ type: z.literal('ref/resource'), uri: z.string() }),
  ]),
  argument: z.object({ name: z.string(), value: z.string().max(4096) }),
});

/** Completes the names of nodes and paths of the tree. */
export function serveCompletions(server: Server, door: ProjectDoor): void {
  onRequest(server, 'completion/complete', completeSchema, async ({ ref, argument: { name, value } }) => {
    const isNode =
      ref.type === 'ref/prompt' ? namesNode(ref.name, name) : ['node', 'from', 'to'].includes(name);
    const names = await door.use(async ({ box }) => {
      if (isNode) return box.graph.similar(value, MAX_VALUES).map((one) => one.name);
      return name === 'path' && ref.type === 'ref/resource'
        ? await pathsLike(box.fs, ref.uri.includes('///docs/') ? '/docs/' : '/', value)
        : [];
    });
    return {
      completion: {
        values: names.slice(0, MAX_VALUES),
        total: names.length,
        hasMore: names.length > MAX_VALUES,
      },
    };
  });
}

/** Paths in a folder that begin with what was typed; folders have a slash at the end. */
async function pathsLike(fs: SystemFs, base: string, typed: string): Promise<string[]> {
  const folder = typed.slice(0, typed.lastIndexOf('/') + 1);
  const beginning = typed.slice(folder.length);
  try {
    const entries = await fs.list(parsePath(`${base}${folder}`), {});
    return entries
      .filter(({ name }) => name.startsWith(beginning))
      .map(({ name, kind }) => `${folder}${name}${kind === 'directory' ? '/' : ''}`);
  } catch (error) {
    if (isFsError(error)) return [];
    throw error;
  }
}

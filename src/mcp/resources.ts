import { isUtf8 } from 'node:buffer';
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { ReadResourceResult, Resource } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { FsError, isFsError } from '../core/errors.ts';
import { isoTime } from '../core/iso-time.ts';
import { nsToMs } from '../core/node-info.ts';
import { parsePath, type VfsPath } from '../core/paths.ts';
import type { OpContext } from '../core/resolver.ts';
import { followLinks } from '../vfs/follow-links.ts';
import { wholeOf } from '../vfs/read-file.ts';
import type { SystemFs } from '../vfs/system-fs.ts';
import { mediaTypeOf } from './media-types.ts';
import type { ListedDocument, ProjectDoor, ServedProject } from './project.ts';
import { type Asking, invalidParams, onRequest, resourceNotFound } from './requests.ts';
import { pathOf, uriOf } from './resource-uris.ts';

const PAGE_LENGTH = 200;
/** A resource is sent as a whole. Larger files can be read in parts by the tools. */
const MAX_BYTES = 4 * 1024 * 1024;
const GUIDE: ListedDocument = { path: parsePath('/AGENTS.md'), title: 'What is where in this tree' };

/** Templates for paths that are not listed: any path of the tree, and pages that are made when they are asked for. */
const TEMPLATES = [
  {
    uriTemplate: 'kgraphfs:///{+path}',
    name: 'path',
    title: 'Any path of the tree',
    description: 'A file, or a folder as the list of its names: docs, graph, search, context.',
  },
  {
    uriTemplate: 'kgraphfs:///docs/{+path}',
    name: 'document',
    title: 'A document',
    description: 'A file of the docs as it is.',
  },
  {
    uriTemplate: 'kgraphfs:///graph/nodes/{node}',
    name: 'node',
    title: 'A node of the knowledge graph',
    description: 'What it is, and its relationships with the lines that state them.',
    mimeType: 'application/json',
  },
  {
    uriTemplate: 'kgraphfs:///graph/path/{from}/{to}',
    name: 'way',
    title: 'The way between two nodes',
    mimeType: 'application/json',
  },
  {
    uriTemplate: 'kgraphfs:///search/{query}',
    name: 'search',
    title: 'What answers a question, best first',
    mimeType: 'text/plain',
  },
  {
    uriTemplate: 'kgraphfs:///context/for/{question}',
    name: 'context',
    title: 'A context for a question, within a budget of tokens',
    mimeType: 'text/markdown',
  },
  {
    uriTemplate: 'kgraphfs:///context/memory/{type}/{+key}',
    name: 'memory',
    title: 'An entry of memory',
    description: 'Types are fact, episodic and procedural.',
  },
];

const cursorSchema = z.object({ cursor: z.string().max(8192).optional() });
const uriSchema = z.object({ uri: z.string().max(16_384) });

/** The tree as resources: documents and memories are listed, and everything can be read. */
export function serveResources(
  server: Server,
  door: ProjectDoor,
  contextOf: (asking: Asking) => OpContext,
): void {
  onRequest(server, 'resources/list', cursorSchema, async ({ cursor }, asking) => {
    return door.use(async (project) => {
      const all = listed(project);
      const start = cursor === undefined ? 0 : all.findIndex(({ path }) => path > pathOfCursor(cursor));
      const page = start === -1 ? [] : all.slice(start, start + PAGE_LENGTH);
      const last = page.at(-1);
      const isMore = last !== undefined && start + page.length < all.length;
      return {
        resources: await Promise.all(page.map((one) => resourceOf(one, project.box.fs, contextOf(asking)))),
        ...(isMore ? { nextCursor: cursorOf(last.path) } : {}),
      };
    });
  });
  onRequest(server, 'resources/templates/list', cursorSchema, async () => ({
    resourceTemplates: TEMPLATES,
  }));
  onRequest(server, 'resources/read', uriSchema, async ({ uri }, asking) => {
    const path = pathOf(uri);
    try {
      return await door.use(({ box }) => contentsOf(uri, path, box.fs, contextOf(asking)));
    } catch (error) {
      if (isFsError(error, 'ENOENT', 'ENOTDIR', 'ELOOP')) throw resourceNotFound(uri, `${uri}: ${error.why}`);
      if (error instanceof FsError) throw invalidParams(`${uri}: ${error.why}`);
      throw error;
    }
  });
}

/** What the list of resources is made from. */
export interface Listable extends Pick<ServedProject, 'documents'> {
  readonly box: { readonly memory: Pick<ServedProject['box']['memory'], 'places'> };
}

/** The listed resources in the order of their paths: the guide, documents, memories. */
export function listed({ documents, box }: Listable): ListedDocument[] {
  const memories = box.memory.places().map(({ type, key }) => ({
    path: parsePath(`/context/memory/${type}/${key}`),
    title: `${type}/${key}`,
  }));
  return [GUIDE, ...memories, ...documents()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

async function resourceOf(
  { path, title }: ListedDocument,
  fs: SystemFs,
  context: OpContext,
): Promise<Resource> {
  const resource = { uri: uriOf(path), name: path.slice(1), title, mimeType: mediaTypeOf(path) };
  try {
    const { sizeBytes, modifiedNs } = await fs.stat(path, context);
    const lastModified = isoTime(nsToMs(modifiedNs));
    return { ...resource, size: sizeBytes, annotations: { lastModified } };
  } catch (error) {
    // It was removed since the index was asked.
    if (isFsError(error)) return resource;
    throw error;
  }
}

async function contentsOf(
  uri: string,
  path: VfsPath,
  fs: SystemFs,
  context: OpContext,
): Promise<ReadResourceResult> {
  const target = await followLinks(fs, path, context);
  const { kind } = await fs.stat(target, context);
  if (kind === 'directory') {
    const names = (await fs.list(target, context)).map((entry) =>
      entry.kind === 'directory' ? `${entry.name}/` : entry.name,
    );
    return { contents: [{ uri, mimeType: 'text/plain', text: names.map((name) => `${name}\n`).join('') }] };
  }
  const file = await fs.open(target, context);
  try {
    if (file.sizeBytes > MAX_BYTES) {
      const why = `it has ${file.sizeBytes} bytes; a resource has at most ${MAX_BYTES}, read parts of it with the tool vfs_read`;
      throw new FsError('EFBIG', path, why);
    }
    const bytes = await wholeOf(file);
    const isText = isUtf8(bytes) && !bytes.includes(0);
    const mimeType = mediaTypeOf(path, isText);
    const content = isText ? { text: bytes.toString() } : { blob: bytes.toString('base64') };
    return { contents: [{ uri, mimeType, ...content }] };
  } finally {
    file.close();
  }
}

/** Stands for the last path of a page, so that additions and removals before it do not shift the next page. */
function cursorOf(path: VfsPath): string {
  return Buffer.from(path).toString('base64url');
}

function pathOfCursor(cursor: string): string {
  const path = Buffer.from(cursor, 'base64url').toString();
  if (!path.startsWith('/')) throw invalidParams('cursor: this does not come from an earlier answer');
  return path;
}

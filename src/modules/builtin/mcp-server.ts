import { resolve } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  type CallToolResult,
  CallToolResultSchema,
  ErrorCode,
  McpError,
  type ReadResourceResult,
  type Resource,
  ResourceListChangedNotificationSchema,
  type ResourceTemplate,
  type Tool,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { reasonOf } from '../../core/errors.ts';
import { hidingSecrets } from '../hidden-secrets.ts';
import type { ModuleHost } from '../module.ts';
import type { McpConfig } from './mcp.ts';

export type McpResource = Resource;
export type McpTool = Tool;

/** How many pages of a list are asked for at most. */
const MAX_PAGES = 100;
/** A list of the server is asked for again after this time, or when the server says that it has changed. */
const KEEP_LISTS_MS = 30_000;
/** A server that could not be started is not started again sooner. */
const REST_MS = 1000;
/** Slightly longer than any answer may take. */
const REQUEST = { timeout: 15_000, maxTotalTimeout: 15_000 };
const MAX_SAID = 500;
const MAX_HEARD = 64 << 10;
/** The error -32002 of the protocol: the resource does not exist. */
const RESOURCE_NOT_FOUND = -32_002;

/** One server. It is connected when something is asked of it, and again if the connection has ended. */
export class McpServer {
  readonly #config: McpConfig;
  readonly #host: ModuleHost;
  #client: Promise<Client> | undefined;
  readonly #tools = new KeptList<Tool>();
  readonly #resources = new KeptList<Resource>();
  readonly #templates = new KeptList<ResourceTemplate>();
  #failedMs = Number.NEGATIVE_INFINITY;
  #failure: unknown;

  constructor(config: McpConfig, host: ModuleHost) {
    this.#config = config;
    this.#host = host;
  }

  async about(): Promise<unknown> {
    const client = await this.#connected();
    return {
      ...client.getServerVersion(),
      capabilities: client.getServerCapabilities() ?? {},
      instructions: client.getInstructions() ?? null,
    };
  }

  async tools(): Promise<readonly Tool[]> {
    const client = await this.#connected();
    if (client.getServerCapabilities()?.tools === undefined) return [];
    return this.#tools.get(async (page) => {
      const { tools, nextCursor } = await client.listTools(page, REQUEST);
      return { items: tools, nextCursor };
    });
  }

  async resources(): Promise<readonly Resource[]> {
    const client = await this.#connected();
    if (client.getServerCapabilities()?.resources === undefined) return [];
    return this.#resources.get(async (page) => {
      const { resources, nextCursor } = await client.listResources(page, REQUEST);
      return { items: resources, nextCursor };
    });
  }

  async templates(): Promise<readonly ResourceTemplate[]> {
    const client = await this.#connected();
    if (client.getServerCapabilities()?.resources === undefined) return [];
    return this.#templates.get(async (page) => {
      try {
        const { resourceTemplates, nextCursor } = await client.listResourceTemplates(page, REQUEST);
        return { items: resourceTemplates, nextCursor };
      } catch (error) {
        if (isCode(error, ErrorCode.MethodNotFound)) return { items: [] };
        throw error;
      }
    });
  }

  /** @returns undefined if there is no such resource */
  async read(uri: string, signal: AbortSignal): Promise<ReadResourceResult | undefined> {
    const client = await this.#connected();
    if (client.getServerCapabilities()?.resources === undefined) return undefined;
    try {
      return await client.readResource({ uri }, { ...REQUEST, signal });
    } catch (error) {
      if (isCode(error, RESOURCE_NOT_FOUND, ErrorCode.InvalidParams)) return undefined;
      throw error;
    }
  }

  /** @throws Error EINVAL if the tool does not accept the arguments */
  async call(name: string, given: Record<string, unknown>, signal: AbortSignal): Promise<CallToolResult> {
    const client = await this.#connected();
    try {
      const result = await client.callTool({ name, arguments: given }, CallToolResultSchema, {
        ...REQUEST,
        signal,
      });
      return CallToolResultSchema.parse(result);
    } catch (error) {
      if (!isCode(error, ErrorCode.InvalidParams)) throw error;
      throw Object.assign(new Error(reasonOf(error)), { code: 'EINVAL' });
    }
  }

  async close(): Promise<void> {
    const client = await this.#client?.catch(() => undefined);
    await client?.close();
  }

  #connected(): Promise<Client> {
    if (this.#client !== undefined) return this.#client;
    if (performance.now() - this.#failedMs < REST_MS) return Promise.reject(this.#failure);
    const isCurrent = () => this.#client === connecting;
    const connecting: Promise<Client> = this.#connect(isCurrent);
    this.#client = connecting;
    connecting.catch((error: unknown) => {
      this.#failure = error;
      this.#failedMs = performance.now();
      if (isCurrent()) this.#client = undefined;
    });
    return connecting;
  }

  /** @param isCurrent whether no other connection was made since: a server may take seconds to end, and another one be started meanwhile */
  async #connect(isCurrent: () => boolean): Promise<Client> {
    const client = new Client({ name: 'kgraphfs', version: '1' });
    const hide = hidingSecrets(this.#config);
    let said = '';
    const transport = this.#transport((text) => {
      said = (said + text).slice(-MAX_HEARD);
    });
    client.onclose = () => {
      if (!isCurrent()) return;
      this.#client = undefined;
      this.#forget();
    };
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => this.#forget());
    client.setNotificationHandler(ResourceListChangedNotificationSchema, () => this.#forget());
    try {
      await client.connect(transport, REQUEST);
    } catch (error) {
      // The reason why it cannot be reached matters more than an error on closing.
      await client.close().catch(() => undefined);
      // Secrets are hidden before the text is cut: half a key is a secret, too.
      const shown = hide(said).slice(-MAX_SAID).trim();
      const more = shown === '' ? '' : `; it said: ${shown}`;
      throw new Error(`the server of "${this.#host.name}" cannot be reached: ${reasonOf(error)}${more}`);
    }
    return client;
  }

  #transport(onSaid: (text: string) => void): StdioClientTransport | StreamableHTTPClientTransport {
    const { command, args = [], env = {}, cwd = '.', url, headers = {} } = this.#config;
    if (url !== undefined) {
      // A redirect could lead anywhere, and the headers would go there.
      return new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers, redirect: 'error' } });
    }
    const transport = new StdioClientTransport({
      command: command ?? '',
      args,
      env: { ...getDefaultEnvironment(), ...env },
      cwd: resolve(this.#host.folder, cwd),
      stderr: 'pipe',
    });
    transport.stderr?.on('data', (chunk: Buffer) => onSaid(chunk.toString('utf8')));
    const start = transport.start.bind(transport);
    transport.start = async () => {
      await start();
      if (transport.pid !== null) this.#host.started(transport.pid);
    };
    return transport;
  }

  #forget(): void {
    this.#tools.forget();
    this.#resources.forget();
    this.#templates.forget();
    this.#host.changed();
  }
}

interface Page<Item> {
  readonly items: readonly Item[];
  readonly nextCursor?: string | undefined;
}

/** A list of the server, in pages, that is asked for again once in a while. */
class KeptList<Item> {
  #kept: Promise<readonly Item[]> | undefined;
  #keptMs = 0;

  get(ask: (page: { readonly cursor?: string }) => Promise<Page<Item>>): Promise<readonly Item[]> {
    if (this.#kept !== undefined && performance.now() - this.#keptMs < KEEP_LISTS_MS) return this.#kept;
    const asking = allPages(ask);
    this.#kept = asking;
    this.#keptMs = performance.now();
    asking.catch(() => this.forget());
    return asking;
  }

  forget(): void {
    this.#kept = undefined;
  }
}

async function allPages<Item>(
  ask: (page: { readonly cursor?: string }) => Promise<Page<Item>>,
): Promise<readonly Item[]> {
  const all: Item[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const { items, nextCursor } = await ask(cursor === undefined ? {} : { cursor });
    all.push(...items);
    if (nextCursor === undefined) break;
    cursor = nextCursor;
  }
  return all;
}

function isCode(error: unknown, ...codes: readonly number[]): boolean {
  return error instanceof McpError && codes.includes(error.code);
}

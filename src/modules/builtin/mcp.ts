/** The module `mcp`: any server of the Model Context Protocol as files. Its resources are files, its tools are folders, and writing a file calls a tool. */
import { z } from 'zod';
import { reasonOf } from '../../core/errors.ts';
import { jsonText } from '../../core/json-text.ts';
import { decodeName, encodeName } from '../../core/names.ts';
import type { ModuleContext, ModuleHost, ModulePlace, ModuleResolver } from '../module.ts';
import { McpCalls } from './mcp-calls.ts';
import { contentText, resourceContent } from './mcp-content.ts';
import { type McpResource, McpServer, type McpTool } from './mcp-server.ts';

/** Stays up while idle: a server may have state of its own, such as a session. */
export const staysUp = true;

export const config = z
  .strictObject({
    /** A program that speaks the protocol on its standard input and output. */
    command: z.string().min(1).optional(),
    args: z.array(z.string()).optional(),
    /** Environment variables for the program, besides PATH, HOME and the like. */
    env: z.record(z.string(), z.string()).optional(),
    /** The working folder of the program, relative to the folder of the config file, which is the default. */
    cwd: z.string().min(1).optional(),
    /** A server that speaks the protocol over streamable HTTP. */
    url: z.url({ protocol: /^https?$/ }).optional(),
    headers: z.record(z.string(), z.string()).optional(),
    /** The tools that may be called. Default: all. */
    calls: z.array(z.string()).optional(),
  })
  .refine(({ command, url }) => (command === undefined) !== (url === undefined), 'either "command" or "url"');

export type McpConfig = z.infer<typeof config>;

const README = `# A server of the Model Context Protocol

- server.json            its name, version and capabilities
- resources/<name>       what it has to read; resources.jsonl says the URI of each. Any other URI works too, written as a name (/ as %2F)
- tools/<tool>/          schema.json of its arguments, description.md
- calls/<tool>           write arguments as JSON, then read calls/<tool>.out: echo '{"a": 1}' > calls/add; cat calls/add.out
`;

export function resolver(settings: McpConfig, host: ModuleHost): ModuleResolver {
  return new McpTree(settings, new McpServer(settings, host), host);
}

class McpTree implements ModuleResolver {
  readonly #allowed: readonly string[] | undefined;
  readonly #server: McpServer;
  readonly #host: ModuleHost;
  readonly #calls: McpCalls;

  constructor({ calls }: McpConfig, server: McpServer, host: ModuleHost) {
    this.#allowed = calls;
    this.#server = server;
    this.#host = host;
    this.#calls = new McpCalls(host.stateFolder);
  }

  async at(
    [top, name, ...rest]: readonly string[],
    { signal }: ModuleContext,
  ): Promise<ModulePlace | undefined> {
    if (rest.length > 0 && top !== 'tools') return undefined;
    switch (top) {
      case undefined:
        return {
          folder: [
            'README.md',
            'server.json',
            'resources.jsonl',
            'templates.jsonl',
            'resources/',
            'tools/',
            'calls/',
          ],
        };
      case 'resources':
        return name === undefined ? this.#resources() : this.#resource(name, signal);
      case 'tools':
        return this.#toolsAt(name, rest);
      case 'calls':
        return name === undefined ? this.#listedCalls() : this.#callAt(name);
      default:
        return name === undefined ? this.#fileAt(top) : undefined;
    }
  }

  /** Calls the tool at a path. The result is in its `.out`, too, even if it is an error. */
  async write(
    [top, name = '']: readonly string[],
    content: Uint8Array,
    { signal }: ModuleContext,
  ): Promise<void> {
    const tool = top === 'calls' ? await this.#callable(name) : undefined;
    if (tool === undefined) throw refusal('EROFS', 'only calls of tools can be written');
    const given = Buffer.from(content).toString('utf8');
    const keep = (answer: string) => {
      const why = this.#calls.keep({ tool: tool.name, given, answer, atMs: Date.now() });
      if (why !== undefined)
        this.#host.note(`calls/${name}.out: it is not kept (${why}), and gone when the module ends`);
    };
    try {
      keep(contentText(await this.#server.call(tool.name, argumentsIn(given), signal)));
    } catch (error) {
      keep(`error: ${reasonOf(error).replaceAll(/\s+/g, ' ')}\n`);
      throw error;
    } finally {
      this.#host.changed(['calls']);
    }
  }

  close(): Promise<void> {
    return this.#server.close();
  }

  async #fileAt(name: string): Promise<ModulePlace | undefined> {
    switch (name) {
      case 'README.md':
        return { file: README };
      case 'server.json':
        return { file: jsonText(await this.#server.about()) };
      case 'resources.jsonl': {
        const lines = namedResources(await this.#server.resources());
        return { file: jsonLines([...lines].map(([name, resource]) => ({ file: name, ...resource }))) };
      }
      case 'templates.jsonl':
        return { file: jsonLines(await this.#server.templates()) };
      default:
        return undefined;
    }
  }

  async #resources(): Promise<ModulePlace> {
    return { folder: namedResources(await this.#server.resources()).keys() };
  }

  async #resource(name: string, signal: AbortSignal): Promise<ModulePlace | undefined> {
    const uri = namedResources(await this.#server.resources()).get(name)?.uri ?? uriIn(decodeName(name));
    if (uri === undefined) return undefined;
    const result = await this.#server.read(uri, signal);
    return result && { file: resourceContent(result) };
  }

  async #toolsAt(
    name: string | undefined,
    [file, ...rest]: readonly string[],
  ): Promise<ModulePlace | undefined> {
    const tools = await this.#server.tools();
    if (name === undefined) return { folder: tools.map((tool) => `${encodeName(tool.name)}/`) };
    const tool = toolNamed(tools, name);
    if (tool === undefined || rest.length > 0) return undefined;
    const { inputSchema, outputSchema, title = tool.name, description = '' } = tool;
    const answers = outputSchema === undefined ? [] : ['answer.schema.json'];
    switch (file) {
      case undefined:
        return { folder: ['schema.json', 'description.md', ...answers] };
      case 'schema.json':
        return { file: jsonText(inputSchema) };
      case 'answer.schema.json':
        return outputSchema && { file: jsonText(outputSchema) };
      case 'description.md':
        return { file: `# ${title}\n\n${description}\n` };
      default:
        return undefined;
    }
  }

  async #listedCalls(): Promise<ModulePlace> {
    const names = (await this.#server.tools())
      .filter((tool) => this.#isAllowed(tool))
      .map(({ name }) => encodeName(name));
    const called = this.#calls.tools().map((name) => `${encodeName(name)}.out`);
    return { folder: [...names, ...called] };
  }

  async #callAt(name: string): Promise<ModulePlace | undefined> {
    const tool = toolNamed(await this.#server.tools(), name);
    if (tool !== undefined) {
      if (!this.#isAllowed(tool)) throw refusal('EACCES', 'the config does not allow calls of this tool');
      const call = this.#calls.get(tool.name);
      return call === undefined
        ? { file: '', writable: true }
        : { file: call.given, writable: true, modified: call.atMs };
    }
    if (!name.endsWith('.out')) return undefined;
    const call = this.#calls.get(decodeName(name.slice(0, -'.out'.length)));
    return call && { file: call.answer, modified: call.atMs };
  }

  async #callable(name: string): Promise<McpTool | undefined> {
    const tool = toolNamed(await this.#server.tools(), name);
    if (tool !== undefined && !this.#isAllowed(tool))
      throw refusal('EACCES', 'the config does not allow calls of this tool');
    return tool;
  }

  #isAllowed({ name }: McpTool): boolean {
    return this.#allowed === undefined || this.#allowed.includes(name);
  }
}

function toolNamed(tools: readonly McpTool[], name: string): McpTool | undefined {
  return tools.find((tool) => encodeName(tool.name) === name);
}

/** Resources by file name: the name of the resource if no other one has it, else the URI. */
function namedResources(resources: readonly McpResource[]): Map<string, McpResource> {
  const counts = new Map<string, number>();
  for (const { name } of resources) counts.set(name, (counts.get(name) ?? 0) + 1);
  return new Map(
    resources.map((resource) => [
      encodeName(counts.get(resource.name) === 1 ? resource.name : resource.uri),
      resource,
    ]),
  );
}

function uriIn(text: string): string | undefined {
  return /^[a-z][a-z0-9+.-]*:/i.test(text) && URL.canParse(text) ? text : undefined;
}

/** @throws Error EINVAL */
function argumentsIn(text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw refusal('EINVAL', `the arguments are not JSON: ${reasonOf(error)}`);
  }
  const parsed = z.record(z.string(), z.unknown()).safeParse(value);
  if (!parsed.success) throw refusal('EINVAL', 'the arguments are an object of JSON, such as {"a": 1}');
  return parsed.data;
}

function refusal(code: string, reason: string): Error {
  return Object.assign(new Error(reason), { code });
}

function jsonLines(values: readonly unknown[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join('');
}

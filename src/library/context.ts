/**
 * A project that is open in the process of a host program: the same tree, memory, search and graph that a mount shows and the command line asks.
 */
import type { App } from '../app/app.ts';
import type { ContextManifest } from '../context/manifest.ts';
import { UserError } from '../core/errors.ts';
import type { MemoryEntry, MemoryRelation, MemoryType } from '../core/memory-entry.ts';
import { parsePath } from '../core/paths.ts';
import type { DirEntry, NodeInfo, OpContext, Unsubscribe } from '../core/resolver.ts';
import type { SearchHit } from '../core/search.ts';
import { type Connection, connectionOf } from '../graph/connection.ts';
import { dependencyTree, type TreeNode } from '../graph/dependency-tree.ts';
import type { NameMatch } from '../graph/lookup.ts';
import {
  graphQuestions,
  type Questions,
  type RelatedConcept,
  requireNode,
  requireType,
} from '../graph/questions.ts';
import { type NodeView, nodeView, type PathView } from '../graph/view.ts';
import type { GcReport } from '../memory/memory.ts';
import { parseQuery } from '../retrieval/language/parse-query.ts';
import type { ToolReply } from '../toolkit/call.ts';
import { entryNamed } from '../toolkit/memory-writes.ts';
import type { Tool, Toolbox } from '../toolkit/tool.ts';
import { followLinks } from '../vfs/follow-links.ts';
import { wholeOf } from '../vfs/read-file.ts';
import { replaceFile } from '../vfs/replace-file.ts';
import { type CallToolOptions, callModelTool, type OpenAiTool, openAiTool } from './model-tools.ts';

/** A change of an entry of memory; what is left out stays as it is. */
export interface MemoryChange {
  readonly content?: string;
  /** From 0 to 1. */
  readonly confidence?: number;
  readonly tags?: readonly string[];
  /** Documents that the entry is based on, with a line: `charges/create.md:31`. */
  readonly sourcePaths?: readonly string[];
}

/** Hits, best first. */
export interface Hits extends ReadonlyArray<SearchHit> {
  /** Paths that cannot be read at this moment, and might contain what a hit has to contain; absent if there are none. */
  readonly unread?: readonly string[];
}

/** An open project. Methods fail with FsError (with the code of a system call) or UserError (with a sentence for a person). */
export interface Context {
  /** The revision of the graph of the docs. While the number stays the same, so does the graph. */
  revision(): number;

  /** The text of a file of the tree: `/docs/README.md`, `/graph/nodes/Charge`, `/search/how do refunds work`. */
  read(path: string): Promise<string>;
  readBytes(path: string): Promise<Uint8Array>;
  list(path?: string): Promise<readonly DirEntry[]>;
  /** What is at a path. A link at its end is not followed. */
  stat(path: string): Promise<NodeInfo>;
  /** Makes or replaces a file below `/context`, and makes the folders on the way. @returns its size in bytes */
  write(path: string, content: string | Uint8Array): Promise<number>;
  /** Runs an action that is known at a path: `exec('/graph', 'find_path', 'Subscription', 'Charge')`. */
  exec(path: string, action: string, ...args: readonly string[]): Promise<string>;

  /** Entries of memory, sorted by type and key. */
  memories(filter?: { readonly type?: MemoryType; readonly tag?: string }): readonly MemoryEntry[];
  /** Changes an entry. @param entry its type and key, `fact/refunds`, or the key alone if only one entry has it */
  update(entry: string, change: MemoryChange): MemoryEntry;
  /** Removes an entry; it can be restored for some days. */
  forget(entry: string): void;
  /** Sets a relation between two entries. @param weight over 0 and at most 1. Default 1 */
  relate(from: string, relation: MemoryRelation, to: string, weight?: number): void;
  /** Forgets for good what was removed long ago, and what has expired. */
  gc(options?: { readonly dryRun?: boolean }): GcReport;

  /** Finds what answers a question in docs, graph and memory, best first. The question may use the query language of `search/`. */
  search(question: string, options?: { readonly limit?: number; readonly scope?: string }): Promise<Hits>;
  /** Builds a context for a question within a budget of tokens. @returns its text, and what that is made of */
  buildContext(
    question: string,
    options?: { readonly budgetTokens?: number },
  ): Promise<{ readonly text: string; readonly manifest: ContextManifest }>;
  /** Sums up a document or a folder of the docs (`/docs/charges`, or `charges`) in a few sentences; undefined if there is none. */
  summary(path: string): Promise<string | undefined>;

  /** Everything that is known of a node. */
  query(node: string): NodeView;
  /** The neighbours of a node, those with the most specific relation first. */
  navigate(
    node: string,
    options?: { readonly direction?: 'out' | 'in' | 'both'; readonly edgeTypes?: readonly string[] },
  ): RelatedConcept[];
  /** What a node leads to, or what leads to it, as a tree. */
  inspect(
    node: string,
    options?: {
      readonly depth?: number;
      readonly direction?: 'out' | 'in' | 'both';
      readonly edgeTypes?: readonly string[];
      readonly limit?: number;
    },
  ): TreeNode;
  /** How two nodes are connected, with the lines of the docs that state each step; undefined if they are not. */
  connect(from: string, to: string): Connection | undefined;
  /** As `connect`, without the lines. */
  path(from: string, to: string): PathView | undefined;
  /** The labels of all nodes, or of those of one type. */
  nodes(type?: string): string[];
  /** Nodes with a name similar to a text, best first. */
  similar(text: string, limit?: number): NameMatch[];
  /** The question forms of Kgraph, under the names that they have there. */
  readonly questions: Questions;

  /** The toolkit, in the form that OpenAI's API takes. */
  openAiTools(): OpenAiTool[];
  /**
   * Calls a tool of the toolkit for a model. A mistake of the model never throws: the reply tells the model of it.
   * @param args an object, or the JSON that the model wrote
   */
  callTool(name: string, args: unknown, options?: CallToolOptions): Promise<ToolReply>;

  /** Brings the index up to date, unless a daemon or a watch does so anyway. */
  refresh(): Promise<void>;
  /** Tells that something has changed: `everything` includes generated text, `files` is only what is read from the disk as it is. */
  onChange(listener: (what: 'everything' | 'files') => void): Unsubscribe;
  /** Closes the project. After that every other method throws a UserError. Closing it again does no harm. */
  close(): Promise<void>;
}

/** What a {@link Context} is made of. */
export interface ContextParts {
  readonly app: App;
  readonly box: Toolbox;
  readonly tools: readonly Tool[];
  /** In whose name the host program acts. */
  readonly caller: OpContext;
  readonly refresh: () => Promise<void>;
  readonly onChange: Context['onChange'];
  readonly close: () => Promise<void>;
}

/** The content that a host program passes, which may not be written in TypeScript. @throws UserError if it is neither text nor bytes */
function bytesGiven(content: unknown): Uint8Array {
  if (typeof content === 'string') return Buffer.from(content);
  if (content instanceof Uint8Array) return content;
  const what = content === null ? 'null' : typeof content;
  throw new UserError(`content is text or bytes (a string or a Uint8Array), and not ${what}`);
}

const DEFAULT_HITS = 10;
const DEFAULT_NAMES = 20;
const DEFAULT_DEPTH = 3;
const DEFAULT_NEIGHBOURS = 10;

export function contextOver({ app, box, tools, caller, refresh, onChange, close }: ContextParts): Context {
  const { fs, graph, store, memory, search, contexts } = app;
  const bytesOf = async (path: string): Promise<Buffer> => {
    const file = await fs.open(await followLinks(fs, parsePath(path), caller), caller);
    try {
      return await wholeOf(file);
    } finally {
      file.close();
    }
  };
  const questions = graphQuestions(graph);
  let isClosed = false;
  const context: Context = {
    revision: () => graph.revision(),
    read: async (path) => (await bytesOf(path)).toString(),
    readBytes: bytesOf,
    list: async (path = '/') => fs.list(await followLinks(fs, parsePath(path), caller), caller),
    stat: async (path) => fs.stat(parsePath(path), caller),
    write: async (path, content) => replaceFile(fs, parsePath(path), [bytesGiven(content)], caller),
    exec: async (path, action, ...args) => fs.exec(parsePath(path), action, args, caller),
    memories: (filter = {}) => memory.list(filter),
    update: (name, { content, ...metadata }) =>
      // All or nothing: if the new metadata is wrong, the content stays as it was.
      memory.transact(() => {
        const entry = entryNamed(name, box);
        if (content !== undefined) memory.replace(entry, bytesGiven(content), caller);
        return memory.describe(entry, metadata, caller);
      }),
    forget: (name) => memory.remove(entryNamed(name, box), caller),
    relate: (from, relation, to, weight = 1) =>
      memory.relate(entryNamed(from, box), relation, entryNamed(to, box), weight, caller),
    gc: ({ dryRun = false } = {}) => memory.gc({ dryRun }, caller),
    async search(question, { limit = DEFAULT_HITS, scope } = {}) {
      if (!Number.isInteger(limit) || limit < 1)
        throw new UserError(`a limit is a whole number from 1, and not ${limit}`);
      const options = { limit, ...(scope === undefined ? {} : { scope }) };
      const { hits, unread } = await search.search(parseQuery(question), options);
      return unread === undefined ? hits : Object.assign([...hits], { unread });
    },
    buildContext: (question, options) => contexts.build(question, options),
    summary: (path) => contexts.summary(path.replace(/^\/docs(?:\/|$)/, '')),
    query: (node) => nodeView(graph, requireNode(graph, node)),
    navigate: (node, { direction = 'both', edgeTypes } = {}) =>
      questions
        .related_concepts(node)
        .filter((one) => direction === 'both' || one.direction === direction)
        .filter((one) => edgeTypes === undefined || edgeTypes.includes(one.edge_type)),
    inspect(node, { depth = DEFAULT_DEPTH, direction = 'out', edgeTypes, limit = DEFAULT_NEIGHBOURS } = {}) {
      const chosen = edgeTypes && new Set(edgeTypes);
      return dependencyTree(store, requireNode(graph, node), { depth, direction, edgeTypes: chosen, limit });
    },
    connect: (from, to) => connectionOf(graph, requireNode(graph, from), requireNode(graph, to)),
    path: (from, to) => questions.find_connection(from, to),
    nodes: (type) =>
      graph.nodes(type === undefined ? {} : { type: requireType(graph, type) }).map(({ display }) => display),
    similar: (text, limit = DEFAULT_NAMES) => graph.similar(text, limit),
    questions,
    openAiTools: () => tools.map(openAiTool),
    callTool: (name, args, { actor, signal } = {}) =>
      callModelTool(tools, name, args, box, {
        ...caller,
        ...(actor === undefined ? {} : { caller: { ...caller.caller, name: actor } }),
        ...(signal === undefined ? {} : { signal }),
      }),
    refresh,
    onChange,
    close() {
      isClosed = true;
      return close();
    },
  };
  return new Proxy(context, {
    get(target, name) {
      if (isClosed && name !== 'close' && Object.hasOwn(target, name))
        throw new UserError('this context is closed: open another with openContext');
      return Reflect.get(target, name);
    },
  });
}

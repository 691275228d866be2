import { z } from 'zod';
import type { ReadSoFar } from '../core/first-reading.ts';
import type { Awaitable, OpContext } from '../core/resolver.ts';
import type { SearchEngine } from '../core/search.ts';
import type { GraphQueries } from '../graph/queries.ts';
import type { Memory } from '../memory/memory.ts';
import type { Store } from '../store/store.ts';
import type { SystemFs } from '../vfs/system-fs.ts';

/** What tools work on: the same as files, the mount and the command line. */
export interface Toolbox {
  readonly fs: SystemFs;
  readonly graph: GraphQueries;
  readonly store: Pick<Store, 'edges'>;
  readonly memory: Memory;
  readonly search: SearchEngine;
  readonly readSoFar: ReadSoFar;
  /** The number of tokens of a text, as the model counts them. */
  readonly countTokens: (text: string) => number;
  /**
   * Whether what a tool writes to memory counts at once. Otherwise it waits in `context/review` for a person, and entries that were accepted before
   * stay as they are.
   */
  readonly writesCountAtOnce: boolean;
}

/** What a tool has found. */
export interface Found {
  /** Fields of the answer, as they are. */
  readonly fields?: Readonly<Record<string, unknown>>;
  /** A list of which the first items are shown, as many as fit. */
  readonly list?: FoundList;
}

export interface FoundList {
  /** The name of its field in the answer. */
  readonly name: string;
  readonly items: readonly unknown[];
  /** How many items before the first one were left out, since an earlier answer had them. */
  readonly offset: number;
  /** Whether the items are lines of one text, and shown joined by line feeds. Default false. */
  readonly isText?: boolean;
  /** How many more items there are after the last one, which were not looked at. Default 0. */
  readonly beyond?: number;
  /** The arguments with which to ask for the rest, if `offset` alone is not enough. */
  readonly argumentsFrom?: (offset: number) => Readonly<Record<string, unknown>>;
}

/** `reads` changes nothing, `adds` makes something new that can be removed again, `changes` replaces or removes something. */
export type ToolEffect = 'reads' | 'adds' | 'changes';

/** Something that a model can do, with a name and a description for it. */
export interface Tool {
  readonly name: string;
  /** For a model: what the tool returns, and when to use it rather than another one. */
  readonly description: string;
  readonly effect: ToolEffect;
  readonly parameters: z.ZodObject;
  /** @throws z.ZodError for wrong arguments; FsError and UserError for what is not possible */
  run(args: unknown, box: Toolbox, context: OpContext): Awaitable<Found>;
}

interface ToolDefinition<Parameters extends z.ZodObject> {
  readonly name: string;
  readonly description: string;
  readonly effect: ToolEffect;
  readonly parameters: Parameters;
  run(args: z.output<Parameters>, box: Toolbox, context: OpContext): Awaitable<Found>;
}

export function defineTool<Parameters extends z.ZodObject>(definition: ToolDefinition<Parameters>): Tool {
  const { parameters, run, ...rest } = definition;
  return {
    ...rest,
    parameters,
    run: (args, box, context) => run(parameters.parse(withQuery(args, parameters)), box, context),
  };
}

/** Former names of `query` in some tools, which models still write. No tool with a `query` has a parameter of these names. */
const OTHER_NAMES_OF_QUERY = ['question', 'text'];

/** The same arguments, with the query under its name if the tool has one. */
function withQuery(args: unknown, { shape }: z.ZodObject): unknown {
  if (!('query' in shape) || typeof args !== 'object' || args === null || 'query' in args) return args;
  const others = Object.entries(args);
  const found = others.find(([name]) => OTHER_NAMES_OF_QUERY.includes(name));
  if (found === undefined) return args;
  return Object.fromEntries(others.map((one) => (one === found ? ['query', one[1]] : one)));
}

/** Parameters that several tools have. */
export const OFFSET = z
  .int()
  .min(0)
  .default(0)
  .describe('how many items of the answer to leave out: those that an earlier answer showed');
export const NODE_NAME = z
  .string()
  .min(1)
  .max(1000)
  .describe('name of a node, in any case and number; a document also by its path');

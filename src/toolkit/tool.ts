import { z } from 'zod';
import type { ReadSoFar } from '../core/first-reading.ts';
import type { Awaitable, OpContext } from '../core/resolver.ts';
import type { SearchEngine } from '../core/search.ts';
import type { GraphQueries } from '../graph/queries.ts';
import type { Memory } from '../memory/memory.ts';
import type { Store } from '../store/store.ts';
import type { SystemFs } from '../vfs/system-fs.ts';

/** What tools work on: the same that files, the mount and the command line do. */
export interface Toolbox {
  readonly fs: SystemFs;
  readonly graph: GraphQueries;
  readonly store: Pick<Store, 'edges'>;
  readonly memory: Memory;
  readonly search: SearchEngine;
  readonly readSoFar: ReadSoFar;
  /** Tokens of a text, as the model counts them. */
  readonly countTokens: (text: string) => number;
  /**
   * Whether what a tool writes to memory counts at once. Otherwise it waits in `context/review` for a person, and what was accepted before stays as
   * it is.
   */
  readonly writesCountAtOnce: boolean;
}

/** What a tool found. */
export interface Found {
  /** Fields of the answer, as they are. */
  readonly fields?: Readonly<Record<string, unknown>>;
  /** A list of which as many are shown as fit, from the first. */
  readonly list?: FoundList;
}

export interface FoundList {
  /** The field that it is shown as. */
  readonly name: string;
  readonly items: readonly unknown[];
  /** Items that were left out before the first: those of an earlier answer. */
  readonly offset: number;
  /** Shown as one text, the items joined by line feeds, where they are lines of one. Default false. */
  readonly isText?: boolean;
  /** More that there is behind the last item, which nobody looked at. Default 0. */
  readonly beyond?: number;
  /** Arguments to be asked with for what is left, where `offset` alone does not say it. */
  readonly argumentsFrom?: (offset: number) => Readonly<Record<string, unknown>>;
}

/** `reads` changes nothing, `adds` makes what is new and can be taken back, `changes` replaces or removes. */
export type ToolEffect = 'reads' | 'adds' | 'changes';

/** One thing that a model can do, named and described for it. */
export interface Tool {
  readonly name: string;
  /** For a model: what it gives, and when to use it rather than another. */
  readonly description: string;
  readonly effect: ToolEffect;
  readonly parameters: z.ZodObject;
  /** @throws z.ZodError for wrong arguments; FsError and UserError for what cannot be done */
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

/** What `query` was called by some tools, and models write by themselves. No tool that has a `query` has a parameter of these names. */
const OTHER_NAMES_OF_QUERY = ['question', 'text'];

/** The same arguments, with the query by its name where the tool has one. */
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

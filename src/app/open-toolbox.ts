import type { Toolbox } from '../toolkit/tool.ts';
import type { App } from './app.ts';

export interface ToolboxOptions {
  /** The number of tokens of a text, as the model counts them. */
  readonly countTokens: (text: string) => number;
  /** As {@link Toolbox.writesCountAtOnce}. */
  readonly writesCountAtOnce: boolean;
}

/** What tools work on, for an open project. */
export function openToolbox(
  {
    fs,
    graph,
    store,
    memory,
    search,
    readSoFar,
  }: Pick<App, 'fs' | 'graph' | 'store' | 'memory' | 'search' | 'readSoFar'>,
  options: ToolboxOptions,
): Toolbox {
  return { fs, graph, store, memory, search, readSoFar, ...options };
}

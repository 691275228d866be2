import { openApp } from '../../src/app/app.ts';
import type { SearchEngine, SearchHit } from '../../src/core/search.ts';
import { callTool, type ToolReply } from '../../src/toolkit/call.ts';
import type { Toolbox } from '../../src/toolkit/tool.ts';
import { TOOLS } from '../../src/toolkit/toolkit.ts';
import { indexedSample } from '../support/indexed-sample.ts';
import type { Teardown } from '../support/temporary.ts';

/** The name that calls are made in. */
export const MODEL = 'a-model';

export interface SampleBox {
  readonly box: Toolbox;
  /** The docs folder on the disk. */
  readonly docs: string;
  /** What memory is kept in. */
  readonly contextFile: string;
  /** Calls a tool in the name of a model. */
  call(
    tool: string,
    args: unknown,
    options?: { ceilingTokens?: number; box?: Partial<Toolbox> },
  ): Promise<ToolReply>;
}

/** A rough count, so that no tokenizer is loaded: four characters a token. */
export function countTokens(text: string): number {
  return Math.ceil(text.length / 4);
}

/** The sample docs, indexed, with a search that gives these hits. */
export async function sampleBox(t: Teardown, hits: readonly SearchHit[] = []): Promise<SampleBox> {
  const { settings, docs } = await indexedSample(t);
  const app = openApp({ settings });
  t.teardown(() => app.close());
  const search: SearchEngine = {
    search: (_query, { limit }) => ({ hits: hits.slice(0, limit), named: ['Charge'] }),
    textOf: () => undefined,
    revision: () => '1',
  };
  const { fs, graph, memory, readSoFar } = app;
  const box: Toolbox = {
    fs,
    graph,
    memory,
    store: app.store,
    search,
    readSoFar,
    countTokens,
    writesCountAtOnce: false,
  };
  return {
    box,
    docs,
    contextFile: app.state.contextFile,
    call: (tool, args, { ceilingTokens, box: other } = {}) =>
      callTool(
        TOOLS,
        { tool, args },
        { ...box, ...other },
        { context: { caller: { name: MODEL } }, ...(ceilingTokens === undefined ? {} : { ceilingTokens }) },
      ),
  };
}

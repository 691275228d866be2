import { cpSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { openApp } from '../../src/app.ts';
import { loadSettings } from '../../src/config/settings.ts';
import { systemClock } from '../../src/core/clock.ts';
import type { SearchEngine, SearchHit } from '../../src/core/search.ts';
import { updateIndex } from '../../src/ingest/indexer.ts';
import { prepareStateFolder, stateFolderAt } from '../../src/state/state-folder.ts';
import { openStore } from '../../src/store/store.ts';
import { callTool, type ToolReply } from '../../src/toolkit/call.ts';
import type { Toolbox } from '../../src/toolkit/tool.ts';
import { TOOLS } from '../../src/toolkit/toolkit.ts';
import { type Teardown, temporaryFolder } from '../support/temporary.ts';

/** The name that calls are made in. */
export const MODEL = 'a-model';

export interface SampleBox {
  readonly box: Toolbox;
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
  const folder = temporaryFolder(t);
  cpSync(resolve('docs/sample'), join(folder, 'docs'), { recursive: true });
  const settings = loadSettings({}, folder);
  const state = stateFolderAt(settings.state);
  prepareStateFolder(state);
  const store = openStore(state.indexFile);
  await updateIndex({
    store,
    docs: settings.selection,
    excluded: [settings.state],
    maxBytes: settings.maxDocumentBytes,
    clock: systemClock,
  });
  store.close();
  const app = openApp({ settings, excluded: [] });
  t.teardown(() => app.close());
  const search: SearchEngine = {
    search: (_query, { limit }) => ({ hits: hits.slice(0, limit), named: ['Charge'] }),
    textOf: () => undefined,
    revision: () => '1',
  };
  const { fs, graph, memory } = app;
  const box: Toolbox = { fs, graph, memory, store: app.store, search, countTokens, writesCountAtOnce: false };
  return {
    box,
    call: (tool, args, { ceilingTokens, box: other } = {}) =>
      callTool(
        TOOLS,
        { tool, args },
        { ...box, ...other },
        { context: { caller: { name: MODEL } }, ...(ceilingTokens === undefined ? {} : { ceilingTokens }) },
      ),
  };
}

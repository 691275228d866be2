import { clearInterval, setInterval } from 'node:timers';
import { type App, openApp } from '../../src/app/app.ts';
import { openToolbox } from '../../src/app/open-toolbox.ts';
import { followProject } from '../../src/cli/mcp/follow-project.ts';
import { parsePath } from '../../src/core/paths.ts';
import type { CalledTool, ProjectDoor, ServedProject } from '../../src/mcp/project.ts';
import type { ServerOptions } from '../../src/mcp/server.ts';
import { TOOLS } from '../../src/toolkit/toolkit.ts';
import { indexedSample } from '../support/indexed-sample.ts';
import type { Teardown } from '../support/temporary.ts';

export interface SampleProject {
  /** What a server of it is opened with. */
  readonly options: ServerOptions;
  readonly app: App;
  /** Absolute, with the documents. */
  readonly docs: string;
  readonly calls: CalledTool[];
  readonly faults: unknown[];
  /** Takes in what was changed in the docs, as a daemon does. */
  index(): Promise<void>;
}

const KEEP_ALIVE_MS = 1000;

/** A copy of the sample docs, indexed and opened. @param projectOptions of the toolbox */
export async function sampleProject(t: Teardown, { writesCountAtOnce = false } = {}): Promise<SampleProject> {
  const { settings, docs, index } = await indexedSample(t);
  const app = openApp({ settings, session: { kind: 'command', id: 'mcp' } });
  const followed = followProject(app, undefined);
  // What follows the project waits without keeping a process alive, and a client in this process neither does.
  const alive = setInterval(() => {}, KEEP_ALIVE_MS);
  t.teardown(() => {
    clearInterval(alive);
    followed.close();
    app.close();
  });
  const calls: CalledTool[] = [];
  const faults: unknown[] = [];
  const countTokens = (text: string) => Math.ceil(text.length / 4);
  const served: ServedProject = {
    box: openToolbox(app, { countTokens, writesCountAtOnce }),
    documents: () =>
      app.store.documents.all().map(({ path, title }) => ({ path: parsePath(`/docs/${path}`), title })),
    called: (call) => calls.push(call),
    fault: (error) => faults.push(error),
    onChange: followed.onChange,
  };
  const options: ServerOptions = {
    version: '1.2.3',
    tools: async () => TOOLS,
    door: doorTo(async () => served),
    actor: 'nobody-said',
    session: undefined,
  };
  return { options, app, docs, calls, faults, index };
}

/** A door to what is opened in one way only, and never anew. */
export function doorTo(open: ProjectDoor['open']): ProjectDoor {
  return { open, use: async (work, onProgress) => work(await open(onProgress)) };
}

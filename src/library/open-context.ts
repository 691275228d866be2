import { resolve } from 'node:path';
import { openToolbox } from '../app/open-toolbox.ts';
import { callerContext } from '../cli/caller.ts';
import { followProject } from '../cli/mcp/follow-project.ts';
import { keepIndexHere, openOver } from '../cli/mcp/keep-index.ts';
import { daemonsOf, findPlace, keepUpToDate, openProject } from '../cli/project.ts';
import { loadUserConfig } from '../config/user-config.ts';
import { loadTokenCounter } from '../context/tokens.ts';
import { reasonOf } from '../core/errors.ts';
import { beginReading, whyMoved } from '../core/unmoving-files.ts';
import { TOOLS } from '../toolkit/toolkit.ts';
import { type Context, contextOver } from './context.ts';
import { libraryIo } from './library-io.ts';
import { type OpenContextOptions, refuseWrongOptions } from './open-options.ts';

/**
 * Opens a project in this process, without a mount. A daemon keeps the index where one runs; else it is brought up to date here first.
 * @throws UserError where an option is none, or config file, docs or state folder cannot be used
 */
export async function openContext(options: OpenContextOptions = {}): Promise<Context> {
  refuseWrongOptions(options);
  const { folder = process.cwd(), actor, session, watch = false, onWarning = () => {} } = options;
  const io = libraryIo({ folder: resolve(folder), actor, session, onWarning });
  const args = {
    docs: [options.docs ?? []].flat(),
    state: options.state,
    config: options.config,
    json: undefined,
  };
  const place = await findPlace(args, io);
  const counter = await loadTokenCounter(place.settings.context.tokenizer);
  const writesCountAtOnce =
    options.allowModelWrites ?? loadUserConfig(io.environment.variables).config.allowModelWrites ?? false;
  const isKept = (await daemonsOf(place, io)).length > 0;
  const watches = watch && !isKept;
  const live = watches
    ? await keepIndexHere(place, io, (error) => onWarning(`the docs are no longer read: ${reasonOf(error)}`))
    : undefined;
  if (live === undefined) await keepUpToDate(place, io);
  const app = await openOver(live, () => openProject(place, {}, io));
  const followed = followProject(app, live, (error) =>
    onWarning(`a listener to changes failed: ${reasonOf(error)}`),
  );
  const endReading = beginReading(place.state.path);
  let closed: Promise<void> | undefined;
  return contextOver({
    app,
    box: openToolbox(app, { countTokens: (text) => counter.count(text), writesCountAtOnce }),
    tools: TOOLS,
    caller: callerContext(io),
    onChange: followed.onChange,
    async refresh() {
      const moved = whyMoved(place.state.path);
      if (moved !== undefined) throw moved;
      if (live === undefined) await keepUpToDate(place, io);
      followed.look();
    },
    close() {
      closed ??= (async () => {
        followed.close();
        await live?.stop();
        app.close();
        endReading();
      })();
      return closed;
    },
  });
}

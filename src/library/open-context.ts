import { resolve } from 'node:path';
import type { App } from '../app/app.ts';
import { openToolbox } from '../app/open-toolbox.ts';
import { callerContext } from '../cli/caller.ts';
import type { Io } from '../cli/io.ts';
import { followProject } from '../cli/mcp/follow-project.ts';
import { keepIndexHere, openOver } from '../cli/mcp/keep-index.ts';
import { daemonsOf, findPlace, keepUpToDate, openProject, type Place } from '../cli/project.ts';
import { loadUserConfig } from '../config/user-config.ts';
import { loadTokenCounter } from '../context/tokens.ts';
import { reasonOf } from '../core/errors.ts';
import { beginReading, whyMoved } from '../disk/unmoving-files.ts';
import type { LiveDocs } from '../ingest/live-docs.ts';
import { TOOLS } from '../toolkit/toolkit.ts';
import { type Context, contextOver } from './context.ts';
import { libraryIo } from './library-io.ts';
import { type OpenContextOptions, refuseWrongOptions } from './open-options.ts';
import { takeOverFromDaemon } from './take-over.ts';

/**
 * Opens a project in this process, without a mount. If a daemon runs, it keeps the index up to date; otherwise the index is brought up to date here first.
 * @throws UserError if an option is unknown or wrong, or if config file, docs or state folder cannot be used
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
  const noLongerRead = (error: unknown) => onWarning(`the docs are no longer read: ${reasonOf(error)}`);
  const counter = await loadTokenCounter(place.settings.context.tokenizer);
  const writesCountAtOnce =
    options.allowModelWrites ?? loadUserConfig(io.environment.variables).config.allowModelWrites ?? false;
  // This comes before any file is opened, so that what is noted of files counts for this reading, and not for one that is just ending.
  const endReading = beginReading(place.state.path);
  const keep = () => keepIndexHere(place, io, noLongerRead);
  const { live, isKept, app } = await openHere(place, io, watch ? keep : undefined).catch(
    (error: unknown) => {
      endReading();
      throw error;
    },
  );
  const followed = followProject(app, live, (error) =>
    onWarning(`a listener to changes failed: ${reasonOf(error)}`),
  );
  const endTakeOver =
    watch && isKept
      ? takeOverFromDaemon({ state: place.state, keep, onKept: followed.keptBy, onFailure: noLongerRead })
      : undefined;
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
        await endTakeOver?.();
        await live?.stop();
        app.close();
        endReading();
      })();
      return closed;
    },
  });
}

/**
 * @param keep begins to keep the index in this process; undefined if the docs are not to be watched
 * @returns whether a daemon keeps the index (`isKept`); if none does and the docs are watched, what keeps it here (`live`)
 */
async function openHere(
  place: Place,
  io: Io,
  keep: (() => Promise<LiveDocs>) | undefined,
): Promise<{ readonly live: LiveDocs | undefined; readonly isKept: boolean; readonly app: App }> {
  const isKept = (await daemonsOf(place, io)).length > 0;
  const live = isKept ? undefined : await keep?.();
  if (live === undefined) await keepUpToDate(place, io);
  return { live, isKept, app: await openOver(live, () => openProject(place, {}, io)) };
}

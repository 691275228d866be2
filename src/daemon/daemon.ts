import { type App, openApp } from '../app/app.ts';
import { choiceText, docsText, wayOf } from '../core/docs-selection.ts';
import { systemCodeOf } from '../core/errors.ts';
import type { SchemaRules } from '../core/schema-rules.ts';
import { lastRules } from '../ingest/schema-stamps.ts';
import { claimStateFolder } from '../state/claim.ts';
import { type DocsWay, liveDaemons } from '../state/daemons.ts';
import { noteRoots } from '../state/noted-roots.ts';
import { thisProcess } from '../state/processes.ts';
import { prepareStateFolder, type StateFolder, stateFolderAt } from '../state/state-folder.ts';
import { openStore } from '../store/store.ts';
import type { Daemon, DaemonOptions } from './daemon-options.ts';
import { notePool } from './note-pool.ts';
import { RunningDaemon } from './running-daemon.ts';
import { SchemaWatch } from './schema-watch.ts';
import type { StatusView } from './status-view.ts';

/**
 * Starts a daemon. It keeps the index equal to the docs on disk, and shows the tree at the mount point if there is one, until it is stopped or unmounted.
 * @throws UserError if the state folder, the docs or the mount point cannot be used
 */
export async function startDaemon(options: DaemonOptions): Promise<Daemon> {
  const { settings, mount, modulesMark } = options;
  notePool();
  const state = stateFolderAt(settings.state);
  prepareStateFolder(state);
  const record = {
    mountpoint: mount?.mountpoint ?? null,
    docs: docsText(settings.selection),
    ways: settings.selection.folders.map((root): DocsWay => [root.name, wayOf(root)]),
    choice: choiceText(settings.selection),
    ...modulesMark,
  };
  const { begun: rules, release } = await claimStateFolder(state, record, () => lastRulesOf(state));
  try {
    noteRoots(state.path, settings.selection.folders);
    const daemon = await beginDaemon(options, await SchemaWatch.begin(settings, rules));
    void daemon.ended.then(release);
    forgetDead(state);
    return daemon;
  } catch (error) {
    release();
    throw error;
  }
}

/** Removes the record of a daemon that was killed and whose mount this one has taken over. If it cannot be known which daemons live, all records stay. */
function forgetDead(state: StateFolder): void {
  try {
    liveDaemons(state);
  } catch (error) {
    if (systemCodeOf(error) === undefined) throw error;
  }
}

async function beginDaemon(options: DaemonOptions, schema: SchemaWatch): Promise<Daemon> {
  const { settings } = options;
  const selection = { ...settings.selection, schema: schema.state().rules };
  const wish = { ...options, settings: { ...settings, selection } };
  let daemon: RunningDaemon | undefined;
  const app = appOf(wish, schema, () => daemon?.status());
  try {
    daemon = new RunningDaemon(wish, schema, app);
    await daemon.readModules();
    // The docs are read while the mount is being made. Messages about them are handled afterwards.
    daemon.followDocs();
    daemon.follow(await daemon.mount());
    return daemon;
  } catch (error) {
    try {
      await daemon?.takeDown();
    } finally {
      app.workspace.sessions.abandon(app.workspace.session);
      app.close();
    }
    throw error;
  }
}

function appOf(
  { settings, mount, session: id, actor, audit, embeddings, openModules }: DaemonOptions,
  schema: SchemaWatch,
  status: () => StatusView | undefined,
): App {
  return openApp({
    settings,
    status,
    schemaMap: () => schema.state().file,
    session: mount
      ? { kind: 'mount', id, mountpoint: mount.mountpoint, startTicks: thisProcess().startTicks }
      : { kind: 'command', id },
    actor,
    audit,
    slowInThread: true,
    embeddings,
    openModules,
  });
}

/** The schema rules by which the docs were last read. Makes the index if there is none yet. */
function lastRulesOf({ indexFile }: StateFolder): SchemaRules | undefined {
  const store = openStore(indexFile);
  try {
    return lastRules(store);
  } finally {
    store.close();
  }
}

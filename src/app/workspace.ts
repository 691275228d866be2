import { userInfo } from 'node:os';
import { type Clock, MS_PER_DAY } from '../core/clock.ts';
import type { ErrorLog } from '../core/error-log.ts';
import { codeOfFailure, FsError, reasonOf } from '../core/errors.ts';
import type { HistoryRecorder } from '../core/history-event.ts';
import { parsePath } from '../core/paths.ts';
import type { Resolver } from '../core/resolver.ts';
import type { Room } from '../core/room.ts';
import { HISTORY_POINT, SCRATCHPAD_POINT } from '../core/tree-points.ts';
import type { GraphQueries } from '../graph/queries.ts';
import { commandSession } from '../history/command-session.ts';
import { actorOf, type Defaults, sessionOf } from '../history/entry.ts';
import { type History, openHistory } from '../history/history.ts';
import { historyObserver } from '../history/observer.ts';
import { Sessions } from '../history/sessions.ts';
import { unkeptHistory } from '../history/unkept.ts';
import { MemoryPaths } from '../memory/memory-paths.ts';
import { type OpenMemory, openMemory } from '../memory/open-memory.ts';
import { type MemoryGraph, memoryGraph } from '../memory-graph/memory-graph.ts';
import { historyResolver } from '../resolvers/history.ts';
import { memoryResolver } from '../resolvers/memory.ts';
import { Pins } from '../search-tree/pins.ts';
import type { Limits } from '../settings/limits.ts';
import { isServedIn } from '../state/daemons.ts';
import type { StateFolder } from '../state/state-folder.ts';
import { type ContextStore, openContextStore } from '../store/context-store.ts';
import type { Mount } from '../vfs/mount-table.ts';
import type { FsObserver } from '../vfs/system-fs.ts';
import { HeldRoom } from './held-room.ts';
import { SessionScratchpad } from './session-scratchpad.ts';

/** The session in which this process works. */
export type SessionChoice =
  /** The session of a mount that this process serves. `id`: the session to continue. Default: a new one. */
  | {
      readonly kind: 'mount';
      readonly mountpoint: string;
      readonly startTicks: string;
      readonly id?: string | undefined;
    }
  /** The session of a command: the named one, else as {@link commandSession} says. */
  | { readonly kind: 'command'; readonly id?: string | undefined };

export interface WorkspaceOptions {
  readonly state: StateFolder;
  readonly limits: Limits;
  readonly clock: Clock;
  readonly errors: ErrorLog;
  /** The graph of the docs, whose nodes memories name. */
  readonly graph: GraphQueries;
  readonly session: SessionChoice;
  /** The actor in the history for actions without a known caller. Default: the user of this process. */
  readonly actor?: string | undefined;
  /** Whether the history is recorded. */
  readonly audit: boolean;
}

/** What people and agents work in: memory, history, and the scratchpad of a session. */
export interface Workspace {
  readonly session: string;
  /** The actor in the history for actions without a known caller. */
  readonly actor: string;
  readonly sessions: Sessions;
  readonly store: ContextStore;
  readonly memory: OpenMemory;
  readonly memoryGraph: MemoryGraph;
  readonly pins: Pins;
  readonly mounts: readonly Mount[];
  readonly record: HistoryRecorder;
  /** Whether something was not recorded in the history, since the state folder is read-only. */
  leftOut(): boolean;
  readonly history: Pick<History, 'tellGone'>;
  readonly observer: FsObserver | undefined;
  /** As {@link observer}, but records nothing. */
  observerForNobody(): FsObserver | undefined;
  /**
   * Finds out whether another process has changed something, and tells listeners.
   * @returns when the next memory expires, as {@link OpenMemory.refresh}
   */
  refresh(): number | undefined;
  /** Writes what still has to be recorded in the history, and closes everything. */
  close(): void;
}

/** @throws UserError if the state folder cannot be used, or the session cannot be continued */
export function openWorkspace(options: WorkspaceOptions): Workspace {
  // A mount has to be writable.
  const mayBeOnlyRead = options.session.kind === 'command';
  const store = openContextStore(options.state.contextFile, { mayBeOnlyRead });
  try {
    return workspaceOver(store, options);
  } catch (error) {
    store.close();
    throw error;
  }
}

function workspaceOver(store: ContextStore, options: WorkspaceOptions): Workspace {
  const { state, limits, clock, graph, session: choice, audit, actor = userName() } = options;
  const sessions = new Sessions({ store, clock, isAlive: isServedIn(state) });
  const session = chosenSession(sessions, choice, actor);
  // A command may be given any session. A session that another process claims when it opens a file is only believed if it exists.
  const isSession = (id: string) => choice.kind === 'command' || sessions.has(id);
  const defaults: Defaults = { actor, session, isSession };
  const history = historyOver(store, options, defaults);
  let leftOut = false;
  const leaveOut: HistoryRecorder = () => {
    leftOut = true;
  };
  const kept = store.isOnlyRead ? leaveOut : history.record;
  const record: HistoryRecorder = audit ? kept : () => {};
  const room = new HeldRoom(state.path);
  if (choice.kind === 'mount') room.whyNone(0);
  const memory = memoryOver(store, options, defaults, record, room);
  const pins = new Pins({ store, record, clock });
  const revision = () => store.sessions.revision();
  const remembered = memoryGraph({
    memory,
    docs: graph,
    clock,
    sessions: { revision, all: () => sessions.list() },
  });
  const scratchpad = new SessionScratchpad({ state, limits, sessions, session });
  // A command makes the folder only when it uses it.
  if (choice.kind === 'mount') scratchpad.open();
  return {
    session,
    actor,
    sessions,
    store,
    memory,
    memoryGraph: remembered,
    pins,
    record,
    leftOut: () => leftOut,
    history,
    observer: audit ? historyObserver(record) : undefined,
    observerForNobody: () =>
      audit ? historyObserver(unkeptHistory({ clock, ...defaults }).record) : undefined,
    mounts: mountsOver({ store, memory, history, scratchpad }, options),
    refresh() {
      history.refresh();
      pins.refresh();
      return memory.refresh();
    },
    close() {
      remembered.close();
      memory.close();
      room.release();
      history.close();
      scratchpad.close();
      try {
        if (choice.kind === 'mount') endSession(sessions, session);
      } finally {
        store.close();
      }
    },
  };
}

function mountsOver(
  {
    store,
    memory,
    history,
    scratchpad,
  }: {
    readonly store: ContextStore;
    readonly memory: OpenMemory;
    readonly history: History;
    readonly scratchpad: SessionScratchpad;
  },
  { errors, clock, session }: WorkspaceOptions,
): Mount[] {
  const onGrowth = history.onGrowth.bind(history);
  return [
    { point: parsePath('/context'), resolver: memoryTree(memory, errors, clock) },
    { point: HISTORY_POINT, resolver: historyResolver(store.history, onGrowth, clock.nowMs()) },
    {
      point: SCRATCHPAD_POINT,
      resolver: session.kind === 'mount' ? scratchpad.asMounted() : scratchpad.asShared(),
    },
  ];
}

function endSession(sessions: Sessions, session: string): void {
  try {
    sessions.end(session);
  } catch (error) {
    // A full disk refuses this, too. The session counts as ended anyway when its process is gone.
    if (!(error instanceof FsError)) throw error;
  }
}

function historyOver(store: ContextStore, { clock, errors }: WorkspaceOptions, defaults: Defaults): History {
  return openHistory({
    store,
    clock,
    ...defaults,
    onFailure: (error) =>
      errors.add({
        code: codeOfFailure(error),
        path: HISTORY_POINT,
        message: `not entered: ${reasonOf(error)}`,
      }),
  });
}

function memoryOver(
  store: ContextStore,
  { limits, clock, errors }: WorkspaceOptions,
  defaults: Defaults,
  record: HistoryRecorder,
  room: Room,
): OpenMemory {
  return openMemory({
    store,
    record,
    clock,
    errors,
    limits: {
      maxEntryBytes: limits.memoryEntryBytes,
      keepRemovedMs: limits.removedMemoryDays * MS_PER_DAY,
    },
    room,
    actorOf: (context) => actorOf(context, defaults),
    sessionOf: (context) => sessionOf(context, defaults),
  });
}

function memoryTree(memory: OpenMemory, errors: ErrorLog, clock: Clock): Resolver {
  return memoryResolver({
    files: memory.files,
    paths: new MemoryPaths({ files: memory.files, errors, startedMs: clock.nowMs() }),
    search: (query) => memory.search(query),
  });
}

/** In a container the user may have no name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // It throws for a user without an entry in the table of users.
    return `uid ${process.getuid?.()}`;
  }
}

function chosenSession(sessions: Sessions, choice: SessionChoice, actor: string): string {
  if (choice.kind === 'mount') {
    const { id, mountpoint, startTicks } = choice;
    return sessions.begin({ id, actor, mountpoint, process: { pid: process.pid, startTicks } });
  }
  return commandSession(sessions, choice.id);
}

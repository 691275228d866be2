import type { Settings } from '../config/settings.ts';
import { systemClock } from '../core/clock.ts';
import type { HistoryRecorder } from '../core/history-event.ts';
import { type GraphQueries, graphQueries } from '../graph/queries.ts';
import { commandSession } from '../history/command-session.ts';
import { openHistory } from '../history/history.ts';
import { Sessions } from '../history/sessions.ts';
import type { OpenSearch } from '../retrieval/engine.ts';
import { DocsFolders } from '../source/docs-folders.ts';
import { isServedIn } from '../state/daemons.ts';
import { stateFolderAt } from '../state/state-folder.ts';
import { openContextStore } from '../store/context-store.ts';
import { openStore, type Store } from '../store/store.ts';
import { searchOfProject } from './open-search.ts';

/** Answers questions about a project without the tree, and records them in the history. */
export interface OpenAnswers {
  readonly graph: GraphQueries;
  readonly search: OpenSearch;
  readonly record: HistoryRecorder;
  /** Whether nothing is recorded in the history, since the state folder cannot be written to. */
  readonly isOnlyRead: boolean;
  /** As that of `App`. */
  onTakenIn(listener: (left: number) => void): () => void;
  /** The position of the search index. */
  position(): string | undefined;
  readonly index: Pick<Store, 'meta' | 'revision'>;
  /** Whether a question would have needed a search through all text, which is not done here: then the answer may be incomplete. */
  wantedAllText(): boolean;
  close(): void;
}

export interface AnswersOptions {
  readonly settings: Settings;
  /** Folders inside the docs that are not docs, as absolute paths. */
  readonly excluded: readonly string[];
  readonly actor: string;
  /** The session. Default: that of a command. */
  readonly session?: string | undefined;
}

/**
 * Opens search and graph alone, in a fraction of the time that `openApp` takes.
 * @throws UserError if docs, index or state folder cannot be used
 */
export function openAnswers({ settings, excluded, actor, session: id }: AnswersOptions): OpenAnswers {
  const state = stateFolderAt(settings.state);
  const folders = new DocsFolders(settings.selection, { excluded });
  folders.openAll();
  const index = openStore(state.indexFile, { readOnly: true });
  const store = openContextStore(state.contextFile, { mayBeOnlyRead: true });
  const sessions = new Sessions({ store, clock: systemClock, isAlive: isServedIn(state) });
  const history = openHistory({
    store,
    clock: systemClock,
    actor,
    session: commandSession(sessions, id),
    isSession: () => true,
    // A failure does not change the answer.
    onFailure: () => {},
  });
  let wantedAllText = false;
  const search = searchOfProject({
    searchFile: state.searchFile,
    memorySearchFile: state.memorySearchFile,
    memory: store.memory,
    historySearchFile: state.historySearchFile,
    history: store.history,
    clock: systemClock,
    index,
    folders,
    maxBytes: settings.maxDocumentBytes,
    settings: settings.search,
    literal: () => {
      wantedAllText = true;
      return { hits: [], unread: [] };
    },
  });
  return {
    graph: graphQueries(index),
    index,
    isOnlyRead: store.isOnlyRead,
    position: () => search.position(),
    onTakenIn: (listener) => search.onTakenIn(listener),
    search: search.engine,
    record: history.record,
    wantedAllText: () => wantedAllText,
    close() {
      history.close();
      search.close();
      store.close();
      index.close();
      folders.close();
    },
  };
}

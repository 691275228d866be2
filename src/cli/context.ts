import { existsSync } from 'node:fs';
import type { Sessions } from '../history/sessions.ts';
import type { StateFolder } from '../state/state-folder.ts';
import type { ContextStore } from '../store/context-store.ts';
import type { CommonArguments } from './command.ts';
import type { Io } from './io.ts';
import { findKeptPlace } from './kept-place.ts';

/** The history and the sessions of a project. They do not depend on its docs and their index. */
export interface Context {
  readonly state: StateFolder;
  readonly store: ContextStore;
  readonly sessions: Sessions;
}

/**
 * Opens history and sessions, and closes them afterwards. It does not touch the index, which a daemon may be working on.
 * @throws UserError as `findKeptPlace`, and if the state folder cannot be used
 */
export async function withContext<T>(
  args: CommonArguments,
  io: Io,
  use: (context: Context) => Promise<T>,
): Promise<T> {
  const [
    { state },
    { systemClock },
    { Sessions },
    { isServedIn },
    { prepareStateFolder },
    { openContextStore },
    { whyKeptFromWriting },
  ] = await Promise.all([
    findKeptPlace(args, io),
    import('../core/clock.ts'),
    import('../history/sessions.ts'),
    import('../state/daemons.ts'),
    import('../state/state-folder.ts'),
    import('../store/context-store.ts'),
    import('../store/disk-state.ts'),
  ]);
  const isOnlyRead = existsSync(state.path) && whyKeptFromWriting(state.contextFile) !== undefined;
  if (!isOnlyRead) prepareStateFolder(state);
  const store = openContextStore(state.contextFile, { mayBeOnlyRead: true });
  try {
    const sessions = new Sessions({ store, clock: systemClock, isAlive: isServedIn(state) });
    return await use({ state, store, sessions });
  } finally {
    store.close();
  }
}

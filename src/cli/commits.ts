import { existsSync } from 'node:fs';
import type { CommitGraph } from '../commit-graph/commit-graph.ts';
import type { OpenCommits } from '../commit-graph/open.ts';
import { wholeEnvironment } from '../config/environment.ts';
import type { CommonArguments } from './command.ts';
import type { Io } from './io.ts';
import { findPlace, type Place } from './project.ts';

/** What to do with commits that are recorded on the way. */
export type Recording =
  /** They must be kept: otherwise nothing is done. */
  | 'kept'
  /** They are kept if the state folder can be written to. */
  | 'kept-where-possible'
  /** They may be thrown away if none were kept before. */
  | 'unkept';

/**
 * Opens the graph of commits and closes it afterwards.
 * @throws UserError as `findPlace`, if there is no repository, and if the state folder cannot be used
 */
export async function withCommits<T>(
  args: CommonArguments,
  io: Io,
  use: (graph: CommitGraph, place: Place, opened: OpenCommits) => Promise<T>,
  recording: Recording = 'kept',
): Promise<T> {
  const [{ openCommits }, { systemClock }, { whyKeptFromWriting }, { IN_MEMORY }, { prepareStateFolder }] =
    await Promise.all([
      import('../commit-graph/open.ts'),
      import('../core/clock.ts'),
      import('../store/disk-state.ts'),
      import('../store/in-memory.ts'),
      import('../state/state-folder.ts'),
    ]);
  const place = await findPlace(args, io);
  const { settings, state } = place;
  const mayBeOnlyRead = recording !== 'kept';
  const isOnlyRead = mayBeOnlyRead && whyKeptFromWriting(state.commitsFile) !== undefined;
  const isThere = existsSync(state.commitsFile);
  if (recording !== 'unkept' && !isOnlyRead) prepareStateFolder(state);
  const opened = openCommits({
    file: recording !== 'unkept' || isThere ? state.commitsFile : IN_MEMORY,
    mayBeOnlyRead,
    indexFile: state.indexFile,
    settings: {
      selection: settings.selection,
      excluded: [settings.state],
      maxBytes: settings.maxDocumentBytes,
    },
    caller: { variables: wholeEnvironment(), workingFolder: io.workingFolder() },
    clock: systemClock,
  });
  try {
    return await use(opened.graph, place, opened);
  } finally {
    opened.close();
  }
}

/** The abbreviated hash of a commit, as people write it. */
export function shortName(commit: string): string {
  return commit.slice(0, 10);
}

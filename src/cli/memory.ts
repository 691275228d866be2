import { existsSync } from 'node:fs';
import type { App } from '../app/app.ts';
import type { EmbeddingFlags } from '../config/embeddings-asked.ts';
import { wayOf } from '../core/docs-selection.ts';
import { callerContext } from './caller.ts';
import type { CommonArguments } from './command.ts';
import type { Io } from './io.ts';
import { findKeptPlace } from './kept-place.ts';
import { inProject, type Place } from './project.ts';

/** The parts of a project that commands about memory need. */
export type MemoryOfProject = Pick<App, 'memory' | 'settings'>;

/**
 * As `withProject`, but also while the docs are missing or do not answer, since memory lies in the state folder. The graph is then as it was
 * when they were last read.
 * @throws UserError as `withProject`, and if docs are missing for which no state folder is known
 */
export async function withMemory<T>(
  args: CommonArguments & EmbeddingFlags,
  io: Io,
  use: (opened: MemoryOfProject) => Promise<T>,
): Promise<T> {
  const place = await findKeptPlace(args, io);
  const { isFolder } = await import('../config/docs-roots.ts');
  const isThere = place.settings.selection.folders.every((root) => !root.isAway && isFolder(wayOf(root)));
  return isThere ? inProject(place, args, io, use) : withoutDocs(place, io, use);
}

async function withoutDocs<T>(
  { settings, state }: Place,
  io: Io,
  use: (opened: MemoryOfProject) => Promise<T>,
): Promise<T> {
  const [{ openWorkspace }, { systemClock }, { ErrorLog }, { graphQueries }, { openStore }] =
    await Promise.all([
      import('../app/workspace.ts'),
      import('../core/clock.ts'),
      import('../core/error-log.ts'),
      import('../graph/queries.ts'),
      import('../store/store.ts'),
    ]);
  const { caller } = callerContext(io);
  const index = openStore(state.indexFile, { readOnly: existsSync(state.indexFile) });
  try {
    const workspace = openWorkspace({
      state,
      limits: settings.limits,
      clock: systemClock,
      errors: new ErrorLog(systemClock),
      graph: graphQueries(index),
      session: { kind: 'command', id: caller?.session },
      actor: caller?.name,
      audit: true,
    });
    try {
      return await use({ memory: workspace.memory, settings });
    } finally {
      workspace.close();
    }
  } finally {
    index.close();
  }
}

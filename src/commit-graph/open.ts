import type { Clock } from '../core/clock.ts';
import { FullDiskError } from '../core/errors.ts';
import type { GitCaller } from '../git/repository.ts';
import type { DocsInTree } from '../git/tree-files.ts';
import {
  type CommitStore,
  type CommitStoreOptions,
  openCommitStore,
  seedCommitStore,
} from '../store/commit-store.ts';
import { whyKeptFromWriting } from '../store/disk-state.ts';
import { IN_MEMORY } from '../store/in-memory.ts';
import { CommitGraph } from './commit-graph.ts';
import { docsInGit } from './docs-in-git.ts';
import type { DocsSettings } from './tree-view.ts';

export interface OpenOptions extends CommitStoreOptions {
  /** The file of the graph; `:memory:` for a graph that is thrown away. */
  readonly file: string;
  /** The index of the docs. A new graph takes over as much of it as it can. */
  readonly indexFile: string;
  readonly settings: DocsSettings;
  readonly caller: GitCaller;
  /** Where the docs are in Git. Default: looked for. */
  readonly docs?: DocsInTree;
  readonly clock: Clock;
}

export interface OpenCommits {
  readonly graph: CommitGraph;
  readonly store: CommitStore;
  readonly docs: DocsInTree;
  close(): void;
}

/** Opens the graph of the commits of the docs. @throws UserError if there is no repository, or the store cannot be used */
export function openCommits(options: OpenOptions): OpenCommits {
  const { indexFile, settings, caller, clock } = options;
  const docs = options.docs ?? docsInGit(settings.selection, caller);
  const store = openCommitStore(seededFile(options), options);
  return {
    graph: new CommitGraph({ store, docs, settings, clock, indexFile }),
    store,
    docs,
    close: () => store.close(),
  };
}

/**
 * The file for the graph, filled with what a new graph can take from the index. If there is no room on the disk and that is acceptable, the graph is in memory.
 */
function seededFile({ file, indexFile, mayBeOnlyRead = false }: OpenOptions): string {
  if (file === IN_MEMORY || (mayBeOnlyRead && whyKeptFromWriting(file) !== undefined)) return file;
  try {
    seedCommitStore(file, indexFile);
    return file;
  } catch (error) {
    if (!mayBeOnlyRead || !(error instanceof FullDiskError)) throw error;
    return IN_MEMORY;
  }
}

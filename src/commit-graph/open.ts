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
  /** Where the graph is kept; `:memory:` for one that is thrown away. */
  readonly file: string;
  /** The index of the docs, which a graph that is made now takes what it can from. */
  readonly indexFile: string;
  readonly settings: DocsSettings;
  readonly caller: GitCaller;
  /** Where the docs are in Git; found, unless given. */
  readonly docs?: DocsInTree;
  readonly clock: Clock;
}

export interface OpenCommits {
  readonly graph: CommitGraph;
  readonly store: CommitStore;
  readonly docs: DocsInTree;
  close(): void;
}

/** Opens the graph of commits of the docs. @throws UserError where there is no repository, or the store cannot be used */
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

/** Where the graph is to be kept, with what it can take from the index; in memory where that finds no room, and may. */
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
